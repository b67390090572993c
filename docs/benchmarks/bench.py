#!/usr/bin/env python3
"""Measures hla beside py-ard and beside programs that only copy, on this machine, and writes a page, pictures and the raw numbers.

    python3 bench.py --release IMGTHLA --number 3.58.0 --pyard CHECKOUT --pyard-data DIR

Python's standard library and an `hla` are enough; every other program is measured when it is there, and named as not measured when it is not.
The arms of a subject run in turn, round after round; ratios are taken within a round. Exit status 0: measured; 1: answers differ without a
known reason; 2: the question is wrong.
"""
import argparse
import collections
import csv
import datetime
import glob
import html
import http.client
import json
import math
import os
import platform
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
LOCI = ["A", "B", "C", "DRB1", "DQB1"]
COLUMNS = [f"{locus}_{allele}" for locus in LOCI for allele in (1, 2)]
METHOD = "lgx"
ANSWERED = [METHOD, "G", "S"]
# a word is said of a median that is so far from 1, and of this share of the rounds
CLEAR, AGREEING = 1.15, 0.8
# a median so near to CLEAR is measured again, so many times as long
DOUBT, AGAIN = 1.2, 2

# a py-ard that stays: one pass in which each typing is new to it, and one in which its cache is warm
PYARD_LOOP = """
import contextlib, csv, json, os, sys, time
os.environ["PYARD_RC"] = "no"
table, output, release, data, method = sys.argv[1:6]
began = time.perf_counter()
with contextlib.redirect_stdout(sys.stderr):
    import pyard
    ard = pyard.init(release, **({"data_dir": data} if data else {}))
def convert():
    start = time.perf_counter()
    with open(table, newline="") as rows, open(output, "w", newline="") as out:
        reader, writer = csv.reader(rows), csv.writer(out, lineterminator="\\n")
        head = next(reader)
        writer.writerow(head + [f"{name}_{method}" for name in head[1:]])
        for row in reader:
            reduced = []
            for typing in row[1:]:
                try:
                    reduced.append(ard.redux(typing, method))
                except Exception:
                    reduced.append("")
            writer.writerow(row + reduced)
    return time.perf_counter() - start
opened = time.perf_counter() - began
with contextlib.redirect_stdout(sys.stderr):
    cold, warm = convert(), convert()
print(json.dumps({"opened": opened, "cold": cold, "warm": warm, "version": pyard.__version__}))
"""

PYARD_ONE = """
import contextlib, os, sys
os.environ["PYARD_RC"] = "no"
with contextlib.redirect_stdout(sys.stderr):
    import pyard
    ard = pyard.init(sys.argv[1], **({"data_dir": sys.argv[2]} if sys.argv[2] else {}))
print(ard.redux(sys.argv[3], sys.argv[4]))
"""

COPY = """
import csv, sys
with open(sys.argv[1], newline='') as rows, open(sys.argv[2], 'w', newline='') as out:
    csv.writer(out, lineterminator='\\n').writerows(csv.reader(rows))
"""

Run = collections.namedtuple("Run", "wall processor memory output")
Arm = collections.namedtuple("Arm", "name words env cold typings inside", defaults=(None, False, 0, None))


def say(text):
    print(text, file=sys.stderr, flush=True)


def refuse(reason):
    say(f"bench: {reason}")
    sys.exit(2)


def run(words, env=None, output=None):
    """Seconds by the clock and of processors, MiB at most, as the system tells them of the process and its children."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        began = time.perf_counter()
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=env)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        # 1: some typings of a table are wrong, which is an answer
        if process.returncode not in (0, 1):
            err.seek(0)
            refuse(f"{' '.join(words)} ended with {process.returncode}: {err.read().decode(errors='replace')[-2000:]}")
        out.seek(0)
        return Run(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, out.read().decode(errors="replace"))


def version_line(words):
    try:
        ran = subprocess.run(words, capture_output=True, text=True, check=False)
        return (ran.stdout or ran.stderr).strip().splitlines()[0]
    except (OSError, IndexError):
        return None


# tables


def published_names(release, number):
    """Names and G groups of each locus, from the file of G groups that the user has fetched."""
    short = number.replace(".", "")
    found = [
        path
        for pattern in (f"{short}/wmda/hla_nom_g.txt", "wmda/hla_nom_g.txt", "**/hla_nom_g.txt")
        for path in sorted(glob.glob(os.path.join(release, pattern), recursive=True))
        if f"IPD-IMGT/HLA {number}" in open(path, encoding="utf-8").read(1000)
    ]
    if not found:
        refuse(f"{release} holds no hla_nom_g.txt of {number}: give the folder in the layout of the published repository")
    names = {locus: ([], []) for locus in LOCI}
    with open(found[0], encoding="utf-8") as lines:
        for line in lines:
            locus, _, rest = line.rstrip("\r\n").partition("*;")
            if locus in names:
                members, _, group = rest.partition(";")
                names[locus][0].extend(f"{locus}*{member}" for member in members.split("/"))
                names[locus][1].extend([f"{locus}*{group}"] if group else [])
    return names


def first_fields(name, count):
    """`A*01:01` of `A*01:01:01:02`; a letter for expression goes, for it belongs to the whole name."""
    fields = name.rstrip("NLSQCA").split(":") if name[-1].isalpha() else name.split(":")
    return ":".join(fields[:count])


def make_table(path, rows, names, various):
    """The same bytes each time: `various` has names of all lengths, groups and lists; else two fields, few of them often."""
    chance = random.Random(1)
    frequent = {
        locus: list(dict.fromkeys(first_fields(name, 2) for name in members if not name[-1].isalpha()))[:60]
        for locus, (members, _) in names.items()
    }

    def typing(locus):
        members, groups = names[locus]
        if not various:
            return frequent[locus][int(len(frequent[locus]) * chance.random() ** 3)]
        kind, name = chance.random(), chance.choice(members)
        if kind < 0.4:
            return name
        if kind < 0.6:
            return first_fields(name, 3) if not name[-1].isalpha() else name
        if kind < 0.8 and groups:
            return chance.choice(groups)
        return f"{name}/{chance.choice(members)}"

    with open(path, "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["id", *COLUMNS])
        for at in range(rows):
            writer.writerow([f"D{at}", *(typing(column.split("_")[0]) for column in COLUMNS)])


def head_of(path, rows, to):
    with open(path, encoding="utf-8", newline="") as lines, open(to, "w", encoding="utf-8", newline="") as out:
        for _, line in zip(range(rows + 1), lines):
            out.write(line)


# measuring


def measure(subject, arms, rounds, scratch):
    """Every arm once in each round, in an order that changes from round to round; one round before is not counted. Those whose word is in doubt go on."""
    runs = {arm.name: [] for arm in arms}

    def one_round(taking_part, at, told):
        for arm in taking_part if at % 2 else reversed(taking_part):
            env = dict(arm.env or os.environ)
            cache = os.path.join(scratch, "cache", re.sub(r"\W", "-", arm.name))
            if arm.cold:
                shutil.rmtree(cache, ignore_errors=True)
            env["XDG_CACHE_HOME"] = cache
            ran = run(arm.words, env)
            if at >= 0:
                runs[arm.name].append(ran)
        say(f"{subject}: {told}")

    for at in range(-1, rounds):
        one_round(arms, at, "warm" if at < 0 else f"round {at + 1} of {rounds}")
    # an arm may have parts of its own, as py-ard's loop: the arm is run for each of them
    arm_of = {part["arm"]: arm for arm in arms for part in figures(arm, runs[arm.name])}
    doubtful = {arm_of[name].name for one in verdicts_of(figures_of(arms, runs)) if is_in_doubt(one) for name in (one["arm"], one["beside"])}
    again = [arm for arm in arms if arm.name in doubtful]
    for at in range(rounds, rounds * (AGAIN + 1) if again else rounds):
        one_round(again, at, f"round {at + 1} of {rounds * (AGAIN + 1)}, of what is close")
    return figures_of(arms, runs)


def figures_of(arms, runs):
    return [part for arm in arms for part in figures(arm, runs[arm.name])]


def figures(arm, runs):
    parts = arm.inside(runs) if arm.inside else {arm.name: [one.wall for one in runs]}
    return [
        {
            "arm": name,
            "typings": arm.typings,
            "wall": [round(wall, 4) for wall in walls],
            "processor": [round(one.processor, 4) for one in runs],
            "memory": round(max(one.memory for one in runs), 1),
        }
        for name, walls in parts.items()
    ]


def seconds_per_unit(arm):
    return [wall / (arm["typings"] or 1) for wall in arm["wall"]]


def compared_seconds(arm):
    """By the clock, but of starts the processor time: they are so short that what else runs decides."""
    by_clock = arm["typings"] or not arm.get("processor")
    return seconds_per_unit(arm) if by_clock else arm["processor"]


def verdict(ours, theirs):
    """How many times as fast as the other, within each round; a word for it only where median and rounds are clear of one."""
    ratios = sorted(other / own for own, other in zip(compared_seconds(ours), compared_seconds(theirs)))
    median, most = statistics.median(ratios), AGREEING * len(ratios)
    word = "too close to call"
    if median >= CLEAR and sum(ratio > 1 for ratio in ratios) >= most:
        word = "faster"
    if median <= 1 / CLEAR and sum(ratio < 1 for ratio in ratios) >= most:
        word = "slower"
    return {"arm": ours["arm"], "beside": theirs["arm"], "median": median, "least": ratios[0], "most": ratios[-1], "verdict": word}


def is_in_doubt(one):
    """Another run might come to another word."""
    distance = abs(math.log(one["median"]))
    return abs(distance - math.log(CLEAR)) < math.log(DOUBT) or (distance >= math.log(CLEAR) and one["verdict"] == "too close to call")


def verdicts_of(arms):
    """Each warm arm of ours beside all that are not ours."""
    own = [arm for arm in arms if arm["arm"].startswith("hla") and "first start" not in arm["arm"]]
    others = [arm for arm in arms if not arm["arm"].startswith("hla")]
    return [verdict(ours, theirs) for ours in own for theirs in others]


# subjects


def hla_words(node, asked):
    return [node, asked.program] if node else [asked.program]


def start_subject(asked, scratch, pyard_env):
    arms = []
    for node in asked.node or [None]:
        label = version_line([node, "--version"]) if node else "hla"
        words = [*hla_words(node, asked), "redux", "-q", "-r", asked.number, "-m", "G", "A*01:01:01:01"]
        arms += [Arm(f"hla, {label}", words), Arm(f"hla, {label}, first start of all", words, cold=True)]
        if node:
            arms.append(Arm(f"node -e 0, {label}", [node, "-e", "0"]))
    if pyard_env:
        words = [asked.python, "-c", PYARD_ONE, asked.number.replace(".", ""), asked.pyard_data or "", "A*01:01:01:01", "G"]
        arms.append(Arm("py-ard, a new process", words, pyard_env))
    return measure("start", arms, asked.rounds, scratch)


def table_subject(name, table, asked, scratch, pyard_env):
    node = asked.node[0] if asked.node else None
    output = os.path.join(scratch, "out.csv")
    with open(table, encoding="utf-8", newline="") as lines:
        reader = csv.reader(lines)
        columns = len(next(reader)) - 1
        rows = sum(1 for _ in reader)
    redux = [*hla_words(node, asked), "redux", "-q", "-r", asked.number, "-m", METHOD, "-i", table, "-o", output]
    arms = [
        Arm("hla", redux, typings=rows * columns),
        Arm("hla, first start of all", redux, cold=True, typings=rows * columns),
        Arm("Python csv, copying only", [asked.python, "-c", COPY, table, output], typings=rows * columns),
    ]
    if shutil.which("mlr"):
        arms.append(Arm("Miller, copying only", ["sh", "-c", 'mlr --csv cat "$1" > "$2"', "sh", table, output], typings=rows * columns))
    if pyard_env and name != "own":
        few = os.path.join(scratch, f"{name}-few.csv")
        head_of(table, asked.pyard_rows, few)
        count = min(rows, asked.pyard_rows) * columns
        # py-ard opens its database once and stays; only its passes count
        passes = lambda runs: {
            f"py-ard, a loop, {which}": [json.loads(one.output.splitlines()[-1])[key] for one in runs]
            for key, which in (("cold", "typings new to it"), ("warm", "its cache warm"))
        }
        words = [asked.python, "-c", PYARD_LOOP, few, output, asked.number.replace(".", ""), asked.pyard_data or "", METHOD]
        arms.append(Arm("py-ard, a loop", words, pyard_env, typings=count, inside=passes))
        tool = shutil.which("pyard-reduce-csv", path=pyard_env.get("PATH"))
        if tool:
            config = os.path.join(scratch, f"{name}.json")
            write_batch_configuration(config, few, output)
            place = ["--data-dir", asked.pyard_data] if asked.pyard_data else []
            words = [asked.python, tool, "-c", config, "-i", asked.number.replace(".", ""), *place]
            arms.append(Arm("py-ard, its tool for tables", words, pyard_env, typings=count))
    return measure(f"table {name}", arms, asked.rounds, scratch)


def write_batch_configuration(path, table, output):
    """What pyard-reduce-csv is told: the same work, everything that can be reduced is."""
    flags = ["serology", "v2", "2field", "3field", "P", "XX", "MAC"]
    facts = {
        "in_csv_filename": table,
        "out_csv_filename": output,
        "columns_from_csv": ["id", *COLUMNS],
        "locus_column_mapping": {"donor": {locus: [f"{locus}_1", f"{locus}_2"] for locus in LOCI}},
        "redux_type": METHOD,
        **{f"reduce_{flag}": True for flag in flags},
        "convert_v2_to_v3": False,
        "map_drb345_to_drbx": False,
        "locus_in_allele_name": True,
        "keep_locus_in_allele_name": True,
        "new_column_for_redux": True,
        "reduced_column_prefix": "reduced_",
        "generate_glstring": False,
        "output_file_format": "csv",
        "apply_compression": None,
        "verbose_log": False,
    }
    with open(path, "w", encoding="utf-8") as out:
        json.dump(facts, out)


def ask_service(port, typings):
    """One connection, one question after another."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    began = time.perf_counter()
    for typing in typings:
        body = json.dumps({"gl_string": typing, "reduction_method": METHOD})
        connection.request("POST", "/redux", body, {"content-type": "application/json"})
        answer = connection.getresponse()
        answer.read()
    took = time.perf_counter() - began
    connection.close()
    return took


def service_subject(asked, typings):
    """Both services answer one client that waits for each answer; that of py-ard is started by whoever wants it measured."""
    node = asked.node[0] if asked.node else None
    words = [*hla_words(node, asked), "serve", "-r", asked.number, "--port", "0"]
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        port = None
        for line in process.stderr:
            found = re.search(r"on http://\S+?:(\d+)", line)
            if found:
                port = int(found[1])
                break
        if port is None:
            refuse("hla serve did not start")
        # its access log is read away, or it would wait for us
        drained = subprocess.Popen(["cat"], stdin=process.stderr, stdout=subprocess.DEVNULL)
        services = [("hla serve, one connection", port)]
        if asked.pyard_service:
            services.append(("py-ard, its service, one connection", asked.pyard_service))
        walls = {name: [] for name, _ in services}
        for at in range(-1, asked.rounds):
            for name, where in services if at % 2 else reversed(services):
                took = ask_service(where, typings)
                if at >= 0:
                    walls[name].append(round(took, 4))
        drained.kill()
    finally:
        process.terminate()
        process.wait()
    return [{"arm": name, "typings": len(typings), "wall": walls[name], "processor": [], "memory": None} for name, _ in services]


def compare_answers(asked, tables, scratch, pyard_env):
    """Each distinct typing asked of both, each difference with its row of docs/divergences.md."""
    script = os.path.join(HERE, "..", "compare", "compare_pyard.py")
    program = os.path.join(scratch, "bin")
    os.makedirs(program, exist_ok=True)
    with open(os.path.join(program, "hla"), "w", encoding="utf-8") as out:
        words = " ".join(f"'{word}'" for word in hla_words(asked.node[0] if asked.node else None, asked))
        out.write(f'#!/bin/sh\nexec {words} "$@"\n')
    os.chmod(os.path.join(program, "hla"), 0o755)
    env = {**pyard_env, "PATH": program + os.pathsep + pyard_env["PATH"], "HLA_DATA_DIR": os.environ["HLA_DATA_DIR"]}
    counts, typings = collections.Counter(), set()
    for table in tables:
        with open(table, encoding="utf-8", newline="") as lines:
            reader = csv.reader(lines)
            next(reader)
            typings.update(typing for row in reader for typing in row[1:] if typing != "")
    words = [asked.python, script, "-r", asked.number, *(["--pyard-data", asked.pyard_data] if asked.pyard_data else [])]
    for method in ANSWERED:
        words += ["-m", method]
    # of a table of yours hla says which columns hold typings
    parts = [(words, "\n".join(sorted(typings)))] + ([([*words, "-i", os.path.abspath(asked.input)], "")] if asked.input else [])
    lines, questions_asked = [], 0
    for part, typed in parts:
        ran = subprocess.run(part, input=typed, capture_output=True, text=True, env=env, check=False)
        if ran.returncode not in (0, 1):
            refuse(f"answers were not compared: {ran.stderr[-2000:]}")
        questions_asked += len(ANSWERED) * int(re.search(r": (\d+) distinct typings", ran.stderr)[1])
        lines += ran.stdout.splitlines()
    # a typing of both is one
    lines = list(dict.fromkeys(lines))
    counts.update(line.split("\t", 1)[0] for line in lines)
    unexplained = [line for line in lines if line.startswith("-\t")]
    return {"asked": questions_asked, "rows": dict(counts.most_common()), "unexplained": unexplained[:20]}


# the page


def picture(title, arms):
    """Bars on a logarithmic scale, so that the slow and the fast can be seen together; a plain SVG."""
    speeds = [(arm["arm"], 1 / statistics.median(seconds_per_unit(arm)), arm["typings"]) for arm in arms]
    least = min(speed for _, speed, _ in speeds) / 2
    span = math.log(max(speed for _, speed, _ in speeds) / least)
    height = 30 * len(speeds) + 46
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="860" height="{height}" viewBox="0 0 860 {height}" role="img" font-family="sans-serif" font-size="14">',
        f"<title>{html.escape(title)}</title>",
        f'<rect width="860" height="{height}" fill="white"/><text x="12" y="24" font-weight="bold">{html.escape(title)} (logarithmic)</text>',
    ]
    for at, (name, speed, typings) in enumerate(speeds):
        y = 40 + 30 * at
        width = max(2, 420 * math.log(speed / least) / span)
        colour = "#1f6f8b" if name.startswith("hla") else "#8a8f98"
        shown = f"{speed:,.0f} a second" if typings else f"{1000 / speed:,.0f} ms"
        parts.append(f'<text x="12" y="{y + 16}">{html.escape(name)}</text><rect x="300" y="{y}" width="{width:.0f}" height="22" fill="{colour}"/>')
        parts.append(f'<text x="{306 + width:.0f}" y="{y + 16}">{shown}</text>')
    return "\n".join([*parts, "</svg>", ""])


def rounded(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def page(results):
    lines = [
        "# hla measured",
        "",
        f"{results['date']}, {results['machine']['processor']}, {results['machine']['cores']} cores, load {results['machine']['load']}. "
        + ", ".join(f"{name} {version}" for name, version in results["versions"].items() if version)
        + ".",
        "",
        f"IPD-IMGT/HLA {results['release']}, method {METHOD}. Medians of {results['rounds']} rounds, in which every program runs once, and more of those that are close; ratios are taken within a round, of starts by processor time.",
    ]
    for subject, arms in results["subjects"].items():
        lines += ["", f"## {subject.capitalize()}", "", f"![{subject}]({subject.replace(' ', '-')}.svg)", ""]
        lines += ["| program | median | least to most | processor time | MiB |", "|---|--:|--:|--:|--:|"]
        for arm in arms:
            each = sorted((1 / one for one in seconds_per_unit(arm)) if arm["typings"] else (1000 * one for one in arm["wall"]))
            unit = " typings a second" if arm["typings"] else " ms"
            processor = f"{statistics.median(arm['processor']):.2f} s" if arm["processor"] else ""
            memory = f"{arm['memory']:.0f}" if arm["memory"] else ""
            lines.append(f"| {arm['arm']} | {rounded(statistics.median(each))}{unit} | {rounded(each[0])} to {rounded(each[-1])} | {processor} | {memory} |")
        verdicts = results["verdicts"].get(subject, [])
        if verdicts:
            lines += ["", "| | beside | times as fast | in the rounds | |", "|---|---|--:|--:|---|"]
            lines += [f"| {one['arm']} | {one['beside']} | {rounded(one['median'])} | {rounded(one['least'])} to {rounded(one['most'])} | {one['verdict']} |" for one in verdicts]
    lines += ["", "## Answers", ""]
    answers = results["answers"]
    if answers is None:
        lines.append("Not compared: no py-ard was given.")
    else:
        without = answers["rows"].get("-", 0)
        lines += [f"{answers['asked']:,} questions; without a known reason, {without} answers differ.", "", "| row of divergences | answers |", "|---|--:|"]
        lines += [f"| {'**without a row**' if row == '-' else row} | {count} |" for row, count in sorted(answers["rows"].items(), key=lambda one: (one[0] != "-", -one[1]))]
        lines += ["", *(f"    {line}" for line in answers["unexplained"])]
    lines += ["", "## Not measured", ""]
    lines += [f"- {one}" for one in results["missing"]] or ["Everything was."]
    return "\n".join(lines) + "\n"


def machine():
    processor = platform.processor() or platform.machine()
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            processor = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), processor)
    return {"processor": processor, "cores": os.cpu_count(), "system": platform.platform(), "load": round(os.getloadavg()[0], 1)}


def questions(words):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--release", required=True, metavar="DIR", help="a release that you have fetched, in the layout of the published repository")
    parser.add_argument("--number", default="3.58.0", help="its number (default: 3.58.0)")
    parser.add_argument("--mac", metavar="FILE", help="a MAC list to install with it, numer.v3.zip")
    parser.add_argument("--program", default=os.path.join(HERE, "..", "..", "bin", "hla.cjs"), help="hla to measure (default: this checkout's or package's)")
    parser.add_argument("--node", action="append", help="a Node to run it with, repeatable (default: the one found)")
    parser.add_argument("--pyard", metavar="DIR", help="a checkout of py-ard, or 'installed'")
    parser.add_argument("--pyard-data", metavar="DIR", help="databases of py-ard (pyard-import -i 3580 --data-dir DIR)")
    parser.add_argument("--pyard-service", type=int, metavar="PORT", help="port of a running service of py-ard")
    parser.add_argument("--python", default=sys.executable, help="Python that has what py-ard needs")
    parser.add_argument("-i", "--input", metavar="TABLE", help="a table of yours, CSV with a header, measured too")
    parser.add_argument("--rows", type=int, default=200_000, help="rows of the tables made here")
    parser.add_argument("--pyard-rows", type=int, default=2_000, help="of those, for py-ard")
    parser.add_argument("--requests", type=int, default=2_000, help="questions to a service in each round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("-o", "--output", metavar="DIR", default="hla-benchmark", help="folder of the page (default: hla-benchmark)")
    asked = parser.parse_args(words)
    asked.program = os.path.abspath(asked.program) if os.path.exists(asked.program) else shutil.which(asked.program) or refuse(f"no {asked.program}")
    if asked.program.endswith(".cjs") and not asked.node:
        asked.node = [shutil.which("node") or refuse("no node")]
    if min(asked.rows, asked.pyard_rows, asked.requests, asked.rounds) < 1:
        parser.error("counts are at least 1")
    return asked


def main(words):
    asked = questions(words)
    os.makedirs(asked.output, exist_ok=True)
    missing = [] if shutil.which("mlr") else ["Miller (`mlr`): not installed"]
    pyard_env, pyard_version = None, None
    if asked.pyard:
        folder = None if asked.pyard == "installed" else os.path.abspath(asked.pyard)
        paths = [one for one in (folder, os.environ.get("PYTHONPATH")) if one]
        pyard_env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        tried = subprocess.run([asked.python, "-c", "import pyard; print(pyard.__version__)"], capture_output=True, text=True, env=pyard_env, check=False)
        if tried.returncode != 0:
            refuse(f"py-ard cannot be loaded: {tried.stderr.strip().splitlines()[-1]}")
        pyard_version = tried.stdout.strip().splitlines()[-1]
        if not shutil.which("pyard-reduce-csv", path=pyard_env["PATH"]):
            missing.append("py-ard's tool for tables: no `pyard-reduce-csv` on the path")
        if not asked.pyard_service:
            missing.append("py-ard's service: start it and give `--pyard-service PORT`")
    else:
        missing.append("py-ard: give `--pyard` a checkout, or `installed`")
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["HLA_DATA_DIR"] = os.path.join(scratch, "data")
        os.environ["HLA_SYSTEM_DATA_DIR"] = os.path.join(scratch, "none")
        node = asked.node[0] if asked.node else None
        run([*hla_words(node, asked), "data", "install", asked.number, "--from", asked.release, *(["--mac", asked.mac] if asked.mac else ["--no-mac"])])
        names = published_names(asked.release, asked.number)
        tables = {"of frequent typings": False, "of various typings": True}
        paths = {name: os.path.join(scratch, f"{name.replace(' ', '-')}.csv") for name in tables}
        for name, various in tables.items():
            make_table(paths[name], asked.rows, names, various)
        subjects = {"start": start_subject(asked, scratch, pyard_env)}
        for name, path in paths.items():
            subjects[f"table {name}"] = table_subject(name, path, asked, scratch, pyard_env)
        if asked.input:
            subjects["table of yours"] = table_subject("own", asked.input, asked, scratch, pyard_env)
        with open(paths["of various typings"], encoding="utf-8", newline="") as lines:
            rows = list(csv.reader(line for line, _ in zip(lines, range(asked.requests // 10 + 2))))[1:]
        subjects["service"] = service_subject(asked, [typing for row in rows for typing in row[1:]][: asked.requests])
        answers = None
        if pyard_env:
            few = [os.path.join(scratch, f"{name}-few.csv") for name in tables]
            answers = compare_answers(asked, few, scratch, pyard_env)
    verdicts = {subject: verdicts_of(arms) for subject, arms in subjects.items()}
    results = {
        "date": datetime.date.today().isoformat(),
        "release": asked.number,
        "rounds": asked.rounds,
        "machine": machine(),
        "versions": {
            "hla": (version_line([*hla_words(node, asked), "--version"]) or "").removeprefix("hla "),
            "Node": version_line([node, "--version"]) if node else None,
            "Python": platform.python_version(),
            "py-ard": pyard_version,
        },
        "subjects": subjects,
        "verdicts": verdicts,
        "answers": answers,
        "missing": missing,
    }
    for subject, arms in subjects.items():
        with open(os.path.join(asked.output, f"{subject.replace(' ', '-')}.svg"), "w", encoding="utf-8") as out:
            out.write(picture(subject, arms))
    with open(os.path.join(asked.output, "results.json"), "w", encoding="utf-8") as out:
        json.dump(results, out, indent=1)
    with open(os.path.join(asked.output, "README.md"), "w", encoding="utf-8") as out:
        out.write(page(results))
    say(f"{os.path.join(asked.output, 'README.md')}")
    return 1 if answers and answers["rows"].get("-") else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
