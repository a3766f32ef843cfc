import pytest

from focusagent.results.tasks import TaskName, task_name


@pytest.mark.parametrize(
    ("name", "template", "kind", "size"),
    [
        ("longpage.forum.vote.25k", "longpage.forum.vote", "forum vote", "25k"),
        ("longpage.shop.checkout.8k.events", "longpage.shop.checkout", "shop checkout", "8k"),
        ("workarena.servicenow.sort-user-list", "workarena.servicenow.sort-user-list", "sort", ""),
        (
            "workarena.servicenow.multi-chart-value-retrieval",
            "workarena.servicenow.multi-chart-value-retrieval",
            "dashboard",
            "",
        ),
        ("mine", "mine", "", ""),
        ("", "", "", ""),
    ],
)
def test_what_a_name_says(name: str, template: str, kind: str, size: str) -> None:
    assert task_name(name) == TaskName(name, name.partition(".")[0], template, kind, size)


def test_webarena_tasks_share_the_templates_of_the_benchmark() -> None:
    pytest.importorskip("webarena")
    assert task_name("webarena.0").template == task_name("webarena.1").template != task_name("webarena.310").template
    assert task_name("webarena.0").kind == "shopping_admin"
