"""GenericAgent's settings in the paper: AxTree only, focused element, errors, history with actions and thoughts."""

from __future__ import annotations

from agentlab.agents import dynamic_prompting as dp
from agentlab.agents.generic_agent.generic_agent_prompt import GenericPromptFlags
from bgym import HighLevelActionSetArgs


def paper_flags(max_prompt_tokens: int = 40_000) -> GenericPromptFlags:
    """New flags at each call, since AgentLab writes into them. Source: arXiv 2510.03204, observation flags."""
    return GenericPromptFlags(
        obs=dp.ObsFlags(
            use_html=False,
            use_ax_tree=True,
            use_focused_element=True,
            use_error_logs=True,
            use_history=True,
            use_action_history=True,
            use_think_history=True,
            use_screenshot=False,
            extract_visible_tag=True,
            extract_clickable_tag=True,
        ),
        action=dp.ActionFlags(
            action_set=HighLevelActionSetArgs(subsets=("bid",), multiaction=False),
            long_description=False,
            individual_examples=False,
        ),
        use_thinking=True,
        use_concrete_example=True,
        use_abstract_example=True,
        use_hints=True,
        max_prompt_tokens=max_prompt_tokens,
    )
