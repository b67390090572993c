"""Runs the tests of a Galaxy tool without Galaxy:  galaxy_tool.py TOOL.xml FOLDER
As planemo does: the command is filled in by Cheetah, run by a shell, and what it wrote compared. Prints a line a test.
"""
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

from Cheetah.Template import Template

tool_file, folder = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
text = tool_file.read_text()
for token in ET.fromstring(text).iter("token"):
    text = text.replace(token.get("name"), token.text)
TOOL = ET.fromstring(text)


class Dataset:
    """A file of a history, which has a type but no name."""

    def __init__(self, path, ext):
        self.path, self.ext = path, ext

    def __str__(self):
        return str(self.path)


def values(test):
    given = {param.get("name"): param for param in test.findall("param")}
    filled = {}
    for param in TOOL.find("inputs"):
        name = param.get("name")
        value = given.pop(name, None)
        if param.get("type") == "data":
            filled[name] = Dataset(tool_file.parent / "test-data" / value.get("value"), value.get("ftype"))
            if filled[name].ext not in param.get("format").split(","):
                raise SystemExit(f"{name} takes no {filled[name].ext}")
        elif param.get("type") == "select":
            options = [option.get("value") for option in param.findall("option")]
            selected = [option.get("value") for option in param.findall("option") if option.get("selected") == "true"]
            chosen = selected if value is None else value.get("value").split(",")
            if not set(chosen) <= set(options):
                raise SystemExit(f"{name} has no option {chosen}")
            filled[name] = chosen if param.get("multiple") == "true" else chosen[0]
        else:
            filled[name] = param.get("value") if value is None else value.get("value")
            for validator in param.findall("validator"):
                if not re.match(validator.text, filled[name]):
                    raise SystemExit(f"{name}: {validator.get('message')}")
    if given:
        raise SystemExit(f"a test names parameters that the tool has not: {sorted(given)}")
    return filled


def unmet(asserts, text):
    lines = text.splitlines()
    for one in asserts:
        holds = {
            "has_text": lambda: one.get("text") in text,
            "has_line": lambda: one.get("line") in lines,
            "has_n_lines": lambda: len(lines) == int(one.get("n")),
        }[one.tag]()
        if not holds:
            yield f"{one.tag} {one.attrib} in {text!r}"


def run(test, work):
    work.mkdir()
    command = str(Template(TOOL.find("command").text, searchList=[values(test)]))
    done = subprocess.run(["bash", "-e", "-c", command.replace("\n", " ")], cwd=work, capture_output=True, text=True)
    fails = test.get("expect_failure") == "true"
    if (done.returncode != 0) != fails:
        return [f"exit status {done.returncode}: {done.stderr}"]
    problems = list(unmet(test.findall("assert_stderr/*"), done.stderr))
    outputs = {data.get("name"): data for data in TOOL.find("outputs")}
    if not fails and len(outputs) != int(test.get("expect_num_outputs", len(outputs))):
        problems.append(f"{len(outputs)} outputs")
    for data in [] if fails else outputs.values():
        if not (work / data.get("from_work_dir")).is_file():
            problems.append(f"no output {data.get('name')}")
    for output in test.findall("output"):
        made = (work / outputs[output.get("name")].get("from_work_dir")).read_text()
        if output.get("file") and made != (tool_file.parent / "test-data" / output.get("file")).read_text():
            problems.append(f"{output.get('name')} is not {output.get('file')}: {made!r}")
        problems += unmet(output.findall("assert_contents/*"), made)
    return problems


for number, test in enumerate(TOOL.find("tests"), 1):
    print(number, *(run(test, folder / str(number)) or ["ok"]))
