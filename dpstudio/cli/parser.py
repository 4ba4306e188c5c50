"""The flags of the command line and their help."""

from __future__ import annotations

import re
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from typing import NoReturn

from dpstudio import __version__
from dpstudio.cli.talk import Refused
from dpstudio.text.given import cut

COMMANDS = {"list": "commands", "compute": "commands", "solve": "solving", "sweep": "sweeping", "render": "commands",
            "report": "reporting", "count": "counting", "code": "commands", "guarantee": "promising",
            "profile": "profiling", "audit": "auditing"}
"""The module of each: it is imported where it is asked for, and has a function `run_…`."""

_DESCRIPTION = """\
DP Studio: what differential privacy costs, and what it buys.

  dpstudio                 opens the window
  dpstudio FILE            opens it on a session, on a file that carries one, or on a table
  dpstudio COMMAND ...     works without a window, as below"""

_LIST = """\
List the studies, or the parameters and pictures of one.

With deployments in the place of a study: differential privacy in use by its registry, each with its ε and δ, its unit
of privacy and its source, and the studies on whose pictures render --published marks it."""

_COMPUTE = """\
Compute a study and print its facts and tables.

On a terminal: sentences and facts, as text. JSON, the default anywhere else, holds everything: parameters, facts with
formula and source, tables and sentences. CSV on standard output or in a FILE.csv holds the facts; with --output
FOLDER/ it is a file of facts and one for each table."""

_BATCH = """\
a batch has one request a line, {"study": "decision", "set": {"epsilon": 0.1}}, and gets one answer a line: facts and
sentences, or {"error": "a sentence"} in the place of a request that is refused. With "facts": ["KEY", "KEY@SERIES"] an
answer has these and no others; without, all but the best choices and the ten answers of decision, which take longer
than all others together."""

_SOLVE = """\
Solve for one or two parameters of a study: the values at which facts are as wanted.

  dpstudio solve decision --set delta=1e-9 --want "band_width@laplace <= 500" --for epsilon
  dpstudio solve decision --want "acceptance@laplace at records=900 <= 0.01" \\
                          --want "rejection@laplace at records=1100 <= 0.01" --for epsilon --for target

What is printed, put back with --set, meets the wants; of several solutions the most private is named first. A fact
without its @SERIES is asked of everything that is seen first: who is allowed at what it takes answers, the most private
first. The exit status is 3 where none does, and the sentence names the nearest."""

_REPORT = """\
Write a report of a study or of a session: a page to be signed, a page of what the choice rests on, and an appendix to
check them. The file carries the session, and opens in the window.

  dpstudio report mine.dpstudio --output decision.pdf --choose generalized --by "Privacy office"

The first page has the words that are given, and room to write by hand for those that are not. Of a session it has the
study in view and those in which somebody chose. The appendix is none; facts, unless something else is said: setting,
facts, pins, solved questions, sweeps, snapshots and how to compute them again; or all: more pictures, how each number
was found and the formulas, too.

A FILE.yaml is an entry for the registry of deployments instead, of the study in view: of the third tier, if --about
states all that it asks for. The fields of --about are name, curators, description, use, product, sector, region,
published; unit, neighbours, domain; model, actors; releases, refresh, source, access, analysts, spent, exact; before,
mechanism, library, sampler, channels, retention, after; why, alternatives, error, groups; authors, sources, notes."""

_COUNT = """\
Count the records of a CSV, TSV or Parquet file that satisfy a condition, as JSON.

The count is exact, and therefore sensitive: it is N of the decision study. With --by the records of each group are
counted, by one column or by the pairs of two, and "cells" is their list; with --of the numbers of a column are taken,
rounded where more than 20 000 are different, and "values" is their list; both of all records unless --where says which.
A condition compares columns with values:
"age >= 65 and sex = 'f'", "dose between 1 and 5 or not smoker", "sex in ('f', 'x')", "height is missing".
A column whose name is no word stands in double quotes, a text in single ones."""

_CODE = """\
Print code that does what a series of a study does.

opendp and google are scripts that release data, with the calibrated parameters and the library's own accounting;
dpstudio is Python that gives the same facts, command the command line. Where a library lacks a mechanism, the script is
of what is nearest and says so."""

_GUARANTEE = """\
Print what each series of a study promises, and to whom: relation, ε and δ, μ or ρ where they are promised, whether that
is exact or a bound, the words of the promise, δ(ε′) and the trade-off T(α) of an attacker's errors.

What promises nothing, such as a formula that is known to be wrong, is not listed."""

_PROFILE = """\
Print the greatest ε at which each series keeps caps on belief, which cap binds, and what a step further leads to.

Caps are PRIOR:CAP, as --profile 0.01:0.05,0.1:0.3: who held it 1 % likely may hold it at most 5 % likely after any
answer, but for a probability of --exception. Where no ε keeps them, what holds instead is said, and the status is 3."""

_AUDIT = """\
Hold a claim against outcomes of your own mechanism: what ε do they prove, that it has at least?

  dpstudio audit with.txt without.txt --epsilon 1
  dpstudio audit --command "python mine.py {data} {draws}" --datasets a.csv b.csv --draws 20000 --epsilon 1
  dpstudio audit --library opendp:laplace --scale 0.5 --epsilon 1
  dpstudio audit --exhibit floating_laplace

Outcomes are independent releases of one dataset A and of its neighbour B, as many of each: numbers or words, one a
line. The first half of them chooses an event, the other half is counted, and Clopper and Pearson's bounds on both
rates certify ε at the claimed δ. The status is 3 where the claim is contradicted. No number of outcomes proves one."""

_AUDIT_RUNS = """\
a command runs as you, without a shell: it is shown, and asked for unless --yes is given. What it prints is bounded, and
it ends with all that it started in its own group after --seconds. A library runs in a Python of its own, on the numbers
of --datasets, 0 and 1 if not given."""

_RENDER = """\
Draw one picture of a study for print, or all of them; or write one with sliders as a page for any browser.

  dpstudio render decision --output acceptance.html --over epsilon=0.01:10:41:log

Such a living page has what compute gives at each value of the sliders, and needs neither this program nor a network.
It carries its session, as pictures do: it opens in the window."""

_SWEEP = """\
Compute facts over a grid of one parameter or two, as a table with a row for each cell.

A grid is NAME=LOW:HIGH:COUNT, with :log behind it for equal ratios, or a list, NAME=V1,V2. A fact is KEY@SERIES, or
KEY for all series that have it. What is done is kept beside the output, in OUTPUT.part: run again, it goes on."""

_SCHEDULER = """\
Whoever reaches the port of a Dask scheduler can run any program on it and on its workers: let it listen inside a
network that is trusted, or behind TLS. Workers must have the same versions and source as this program. Where for a
minute nothing is heard of the scheduler, of any worker or of one that has work, it ends with status 1; run again, a
sweep goes on from what is done."""


class _Parser(ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Refused(cut(re.sub(r"\S{61,}", lambda found: cut(found[0]), message), 300))  # it quotes what was given


def parser() -> ArgumentParser:
    """The whole command line."""
    top = _Parser(prog="dpstudio", description=_DESCRIPTION, formatter_class=RawDescriptionHelpFormatter,
                  allow_abbrev=False)
    top.add_argument("--version", action="version", version=f"dpstudio {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def command(name: str, short: str, description: str, epilog: str | None = None) -> ArgumentParser:
        return commands.add_parser(name, help=short, description=description, epilog=epilog, allow_abbrev=False,
                                   formatter_class=RawDescriptionHelpFormatter)

    listing = command("list", "list the studies, what one of them has, or deployments in use", _LIST)
    listing.add_argument("study", nargs="?", metavar="STUDY", help="a study, or deployments")
    _add_feared(listing)
    listing.add_argument("--format", choices=("json", "text"), default="text",
                         help="text for people, or json: all that it has, level 1 of it seen first in the window")

    compute = command("compute", "compute facts and tables", _COMPUTE, _BATCH)
    _add_request(compute)
    compute.add_argument("--format", choices=("json", "csv", "text"), help="json, csv, or text as on a terminal")
    compute.add_argument("--no-simulation", action="store_true", help="the exact answer alone")
    compute.add_argument("--output", metavar="FILE", help="write there, or a folder of CSV; - is standard output")
    compute.add_argument("--batch", metavar="FILE", help="answer a file of requests, one a line; - is standard input")
    compute.add_argument("--tables", action="store_true", help="with --batch: the tables too")
    compute.add_argument("--simulate", action="store_true", help="with --batch: simulate too")
    compute.add_argument("--workers", metavar="N", help="with --batch: so many processes, 1 if not given")

    solve = command("solve", "find the parameter that gives an outcome", _SOLVE)
    _add_request(solve)
    solve.add_argument("--want", action="append", default=[], metavar="WANT",
                       help="FACT[@SERIES] [at NAME=VALUE] <= VALUE, or >= or =; again for each")
    solve.add_argument("--for", action="append", default=[], metavar="NAME", dest="names",
                       help="the parameter to solve for; a second one with a second --for")
    solve.add_argument("--between", action="append", default=[], metavar="NAME=LOW:HIGH",
                       help="look for it there alone; again for the second")
    solve.add_argument("--format", choices=("json", "text"), help="json, or sentences as on a terminal")

    sweep = command("sweep", "compute facts over a grid of parameters", _SWEEP, _SCHEDULER)
    _add_request(sweep)
    sweep.add_argument("--over", action="append", default=[], metavar="GRID",
                       help="the values of a parameter; twice for two of them")
    sweep.add_argument("--facts", action="append", default=[], metavar="KEY[@SERIES],...",
                       help="what to compute: dpstudio compute STUDY names the facts of a study")
    sweep.add_argument("--simulate", action="store_true", help="let facts be drawn, by seed and trials of each cell")
    sweep.add_argument("--output", metavar="FILE", help="ends in .csv, .json or .parquet; - is CSV on standard output")
    sweep.add_argument("--format", choices=("csv", "json", "parquet"), help="whatever the output is called")
    sweep.add_argument("--workers", metavar="N", help="so many processes of this machine, 1 if not given")
    sweep.add_argument("--scheduler", metavar="ADDRESS", help="the workers of a Dask scheduler instead; trusted ones")

    render = command("render", "draw pictures for print, or one with sliders", _RENDER)
    _add_request(render)
    render.add_argument("--output", metavar="FILE",
                        help="a file that ends in .svg, .pdf, .png or .html; with --all a folder")
    render.add_argument("--figure", metavar="NAME", help="which picture: dpstudio list STUDY names them")
    render.add_argument("--over", action="append", default=[], metavar="GRID",
                        help="with FILE.html: the values of a slider, as of a sweep; twice for two sliders")
    render.add_argument("--size", metavar="WIDTHxHEIGHTmm", help="size on paper, 160x100mm if not given")
    render.add_argument("--dpi", metavar="N", help="dots an inch of a PNG, 300 if not given")
    render.add_argument("--published", action="store_true",
                        help="mark the ε of published deployments on axes of ε, where their unit of privacy is alike")
    render.add_argument("--all", action="store_true", help="every picture of the study")
    render.add_argument("--format", choices=("svg", "pdf", "png"), help="with --all: svg, pdf or png")

    report = command("report", "write a report that can be signed", _REPORT)
    _add_request(report)
    report.add_argument("--output", metavar="FILE", help="a file that ends in .pdf, .html or .yaml")
    report.add_argument("--appendix", metavar="none|facts|all", help="what follows the two pages to decide")
    report.add_argument("--studies", metavar="A,B", help="these studies of the session, and no others")
    report.add_argument("--question", metavar="TEXT", help="what was asked, in place of the study's own question")
    report.add_argument("--choose", metavar="SERIES", help="what was chosen of all that the study compares")
    report.add_argument("--choice", metavar="TEXT", help="the same in words")
    report.add_argument("--reason", metavar="TEXT", help="why")
    report.add_argument("--by", metavar="TEXT", dest="who", help="who prepared it: name and role")
    report.add_argument("--date", metavar="TEXT", dest="when", help="the date beside the name, such as 2026-11-22")
    report.add_argument("--about", action="append", default=[], metavar="FIELD=VALUE",
                        help="what is stated of the release, such as model=Central; again for each")
    report.add_argument("--no-values", action="store_true", help="without the values behind pictures, in HTML")

    count = command("count", "count the records of a file that satisfy a condition", _COUNT)
    count.add_argument("file", nargs="?", metavar="FILE", help="a table as CSV, TSV or Parquet")
    count.add_argument("--where", metavar="CONDITION", help="which records qualify")
    count.add_argument("--by", action="append", default=[], metavar="COLUMN",
                       help="count each group of records with the same value there; again for a cross table of two")
    count.add_argument("--of", metavar="COLUMN", help="the numbers of this column, each with how many records have it")
    count.add_argument("--person", metavar="COLUMN", help="the column that identifies a person")
    count.add_argument("--at-most", metavar="B", help="at most so many rows of each person, in each group: 1 counts "
                       "persons")
    count.add_argument("--epsilon", metavar="E", help="with --person: which bound suits this ε of a person")
    count.add_argument("--delta", metavar="D", help="with --epsilon: for Gaussian noise, too")
    count.add_argument("--symptom", action="append", default=[], metavar="CONDITION",
                       help="with --action: count this too, in both arms; a column of 0 and 1 will do; again for each")
    count.add_argument("--action", metavar="CONDITION", help="who was treated: a condition, or a column of 0 and 1")
    count.add_argument("--seed", metavar="SEED", help="with --symptom and --at-most: which rows of a person are kept")
    count.add_argument("--missing", action="append", default=[], metavar="TEXT",
                       help="a text that stands for a missing value, such as NA; again for each")

    code = command("code", "print code that releases, for other libraries", _CODE)
    _add_request(code)
    code.add_argument("--series", "--choose", metavar="KEY", dest="series",
                      help="which of what the study compares, such as laplace; else what the session chose")
    code.add_argument("--library", metavar="NAME", help="opendp, google, dpstudio or command")
    code.add_argument("--output", metavar="FILE", help="write there; - is standard output")

    guarantee = command("guarantee", "what each series promises, and to whom", _GUARANTEE)
    _add_request(guarantee)
    guarantee.add_argument("--series", metavar="KEY", help="this one alone")
    guarantee.add_argument("--points", metavar="N", help="points of the profile and of the trade-off, 41 if not given")
    guarantee.add_argument("--format", choices=("json", "text"), help="json, or words as on a terminal")

    profile = command("profile", "up to which ε caps on belief are kept", _PROFILE)
    _add_request(profile)
    profile.add_argument("--for", default="epsilon", metavar="NAME", dest="name", help="another parameter than epsilon")
    profile.add_argument("--format", choices=("json", "text"), help="json, or words as on a terminal")

    audit = command("audit", "hold a claim against outcomes of your own mechanism", _AUDIT, _AUDIT_RUNS)
    audit.add_argument("files", nargs="*", metavar="FILE", help="outcomes of A and of B, one on each line")
    audit.add_argument("--column", metavar="NAME", help="of two CSV tables: the column that has the outcomes")
    audit.add_argument("--command", metavar="COMMAND", dest="command_line",
                       help="prints {draws} outcomes of the dataset {data}, one on each line")
    audit.add_argument("--library", metavar="NAME", help="opendp:laplace, opendp:geometric, opendp:gaussian, "
                       "google:laplace or google:geometric, where it is installed")
    audit.add_argument("--scale", metavar="B", help="with --library: the scale of the noise, 1 if not given")
    audit.add_argument("--datasets", nargs=2, metavar=("A", "B"), help="with --command or --library: what each runs on")
    audit.add_argument("--exhibit", metavar="NAME", help="a sampler with a published defect: floating_laplace, "
                       "half_noise, watch_without_noise, watch_without_end or open_threshold; or one without: "
                       "snapped_laplace or whole_noise")
    audit.add_argument("--draws", metavar="N", help="outcomes of each dataset, 10000 if not given")
    audit.add_argument("--seconds", metavar="S", help="how long each run may take, 60 if not given")
    audit.add_argument("--seed", metavar="SEED", help="with --exhibit: which draws, 0 if not given")
    audit.add_argument("--yes", action="store_true", help="with --command: run it without asking")
    audit.add_argument("--epsilon", metavar="E", help="the claimed ε, 1 if not given")
    audit.add_argument("--delta", metavar="D", help="the claimed δ, 0 if not given; of an exhibit its own")
    audit.add_argument("--confidence", metavar="C", help="with which probability the certificate holds, 0.99 if not "
                       "given")
    audit.add_argument("--format", choices=("json", "text"), help="json, or words as on a terminal")
    return top


def _add_feared(command: ArgumentParser) -> None:
    command.add_argument("--attacker", metavar="WHOM[:PRIOR]", help="whom one fears, for the facts of risk: "
                         "membership:0.5, name:1000, attribute:0.1 or reconstruction:1e-4")
    command.add_argument("--false-alarms", metavar="A", help="the share of false accusations that they can afford")
    command.add_argument("--profile", metavar="CAPS", help="how likely they may hold it after an answer, by how likely "
                         "they held it before: 0.01:0.05,0.1:0.3")
    command.add_argument("--exception", metavar="H", help="with which probability an answer may lead beyond such a cap")


def _add_request(command: ArgumentParser) -> None:
    command.add_argument("study", nargs="?", metavar="STUDY",
                         help="dpstudio list names them; a session or a file that carries one stands for its study")
    command.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", dest="settings",
                         help="a parameter: dpstudio list STUDY names them; again for each")
    _add_feared(command)
    command.add_argument("--session", metavar="FILE", help="take the study from a session or a file that carries one")
    command.add_argument("--no-words", action="store_true",
                         help="leave out what a person wrote in it: notes, names of snapshots, the words of a cover")
