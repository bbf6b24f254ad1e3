"""Apps and goals out of CSV and pasted lines, and back into CSV; every line that is kept out is named."""

import io
from pathlib import Path

import pytest

from stepscope.app.services.campaigns.campaign_files import (
    apps_of_text,
    goals_of_text,
    read_file,
    write_apps,
    write_goals,
    write_pairs,
)
from stepscope.core.domain.campaign import AppEntry, CampaignContents, CampaignGoal
from stepscope.core.errors import UserError
from tests.app.services.campaigns.test_verdicts import campaign

CLOCK, SHOP = AppEntry("org.clock", "Clock", "Tools"), AppEntry("org.shop", "Läden, nah", "Shopping")
APPS = CampaignContents(apps=(CLOCK, SHOP))


@pytest.fixture
def file(tmp_path: Path):
    def write(text: str, encoding: str = "utf-8") -> Path:
        path = tmp_path / "list.csv"
        path.write_text(text, encoding)
        return path

    return write


def written(write, contents):
    stream = io.BytesIO()
    write(contents, stream)
    return stream.getvalue().decode()


def told(found):
    return [(problem.line, problem.message) for problem in found.problems]


def test_apps(file):
    found = read_file(
        file('package,category,title\norg.clock,Tools,Clock\n"org.shop",Shopping,"Läden, nah"\n'), CampaignContents()
    )
    assert found.contents == APPS and not found.problems
    assert read_file(file(written(write_apps, APPS), "utf-8-sig"), CampaignContents()).contents == APPS


def test_goals_by_package_or_title_with_their_author(file):
    path = file("app;goal;author\norg.clock;Set  an\talarm;ann\nclock;Delete the alarm;\n")
    found = read_file(path, APPS, "bob")
    goals = CampaignGoal("org.clock", "Set an alarm", "ann"), CampaignGoal("org.clock", "Delete the alarm", "bob")
    assert found.contents == CampaignContents(goals=goals) and not found.problems
    again = CampaignContents(goals=goals)
    assert read_file(file(written(write_goals, again)), APPS).contents == again


def test_every_line_that_is_kept_out_is_named(file):
    twice = CampaignContents(apps=(*APPS.apps, AppEntry("org.other", "clock")))
    text = 'goal,app\n"two\nlines",org.clock\n,org.clock\nx,\nx,maps\nx,Clock\n' + "y" * 401 + ",org.clock\n"
    found = read_file(file(text), twice)
    assert [goal.text for goal in found.contents.goals] == ["two lines"]
    assert told(found) == [
        (4, "the goal is empty."),
        (5, "the app is empty."),
        (6, "the campaign has no app “maps”."),
        (7, "2 apps are called “Clock”."),
        (8, "the goal has 401 characters, 400 at most are kept."),
    ]


def test_what_is_known_is_no_trouble_but_a_file_at_odds_with_itself_is(file):
    known = CampaignContents(APPS.apps, (CampaignGoal("org.clock", "x", "ann"),))
    found = read_file(file("app,goal,author\norg.clock,x,ann\norg.clock,y,\norg.clock,y,\norg.clock,y,bob\n"), known)
    assert found.contents == CampaignContents(goals=(CampaignGoal("org.clock", "y"),))
    assert told(found) == [(5, "line 3 says otherwise of the same goal.")]


@pytest.mark.parametrize(
    ("text", "words"),
    [("", "neither apps nor goals"), ("a,b\n1,2\n", r"neither apps nor goals.*title, category"),
     ("app,goal\n\"x,y\n", "is no CSV"), ("app\nx\n", "neither apps nor goals")],
)  # fmt: skip
def test_another_file_is_told(file, text, words):
    with pytest.raises(UserError, match=words) as caught:
        read_file(file(text), APPS)
    assert caught.value.place.endswith("list.csv")


def test_a_file_that_cannot_be_read_is_told(file, tmp_path):
    with pytest.raises(UserError, match=r"is not UTF-8 text.*Save it"):
        read_file(file("app,title\nx,Läden\n", "latin-1"), APPS)
    with pytest.raises(UserError, match="no such file"):
        read_file(tmp_path / "none.csv", APPS)


def test_pasted_lines():
    goals = goals_of_text("Set an alarm\n\n  Delete it \n", "org.clock", APPS, "ann")
    assert [goal.text for goal in goals.contents.goals] == ["Set an alarm", "Delete it"] and not goals.problems
    apps = apps_of_text("org.maps\torg maps\tTravel\n\norg.notes\n", APPS)
    assert apps.contents.apps == (AppEntry("org.maps", "org maps", "Travel"), AppEntry("org.notes", "org.notes"))
    assert apps_of_text('org.maps, "Maps, offline", Travel\n', APPS).contents.apps[0].title == "Maps, offline"


def test_pairs_with_their_majority():
    assert written(write_pairs, campaign("yyi", "yu", "")).splitlines() == [
        "app,goal,written_for,origin,cluster,done,open,skipped,feasible,infeasible,majority,reason,agreement",
        "app,goal 0,App,by hand,,3,0,0,2,1,feasible,,0.6667",
        "app,goal 1,App,by hand,,2,0,0,1,1,tie,,0.5",
        "app,goal 2,App,by hand,,0,0,0,0,0,,,",
    ]


def test_a_formula_in_a_goal_stays_text():
    contents = CampaignContents(APPS.apps, (CampaignGoal("org.clock", "=1+1"),))
    assert written(write_goals, contents).splitlines()[1] == "org.clock,'=1+1,"


@pytest.mark.parametrize("goal", ["=1+1", "'=1+1", "-1.5", "@home, now", '"=x"', "＝1", "- one"])
def test_written_goals_are_read_back_as_they_were(tmp_path, goal):
    contents = CampaignContents(APPS.apps, (CampaignGoal("org.clock", goal, "+ann"),))
    path = tmp_path / "goals.csv"
    path.write_text(written(write_goals, contents), "utf-8", newline="")
    read = read_file(path, APPS)
    assert read.contents.goals == contents.goals and not read.problems
