# SPDX-License-Identifier: Apache-2.0
"""What must hold of the reports of one finding, whatever it is: each check returns or exits with what is wrong. The
whole schema of SARIF is for tests/web/schema_test.mjs."""

import json
import re
import sys
import xml.etree.ElementTree


def expect(condition, what):
    if not condition:
        sys.exit(what)


def check_sarif(path, kind):
    log = json.loads(path.read_text())
    expect(log["version"] == "2.1.0", "not SARIF 2.1.0")
    result = log["runs"][0]["results"][0]
    expect(result["ruleId"] == kind, f"the rule is {result['ruleId']}")
    expect(result["partialFingerprints"]["ravelSignature/v1"], "no fingerprint")
    expect(result["locations"], "no place")
    one_list, by_task = (flow["threadFlows"] for flow in result["codeFlows"])
    orders = [place["executionOrder"] for place in one_list[0]["locations"]]
    expect(orders == sorted(orders) and len(set(orders)) == len(orders), "the one list is not in order")
    together = sorted(place["executionOrder"] for flow in by_task for place in flow["locations"])
    expect(together == orders, "the flows of the tasks are not the same steps")
    expect(len(by_task) == len({flow["id"] for flow in by_task}) > 1, "not a flow for each task")
    essential = [place for place in one_list[0]["locations"] if place["importance"] == "essential"]
    expect(essential, "no step is essential")


def check_perfetto(path):
    events = json.loads(path.read_text())["traceEvents"]
    expect(events, "no events")
    ends = {}
    slices = sorted((one for one in events if one["ph"] == "X"), key=lambda one: one["ts"])
    for one in slices:
        lane = (one["pid"], one["tid"])
        expect(one["dur"] >= 1 and one["ts"] >= ends.get(lane, 0), f"slices overlap: {one}")
        ends[lane] = one["ts"] + one["dur"]
    for begin, end in (("b", "e"), ("s", "f")):
        ids = [sorted(one["id"] for one in events if one["ph"] == phase) for phase in (begin, end)]
        expect(ids[0] == ids[1], f"{begin} and {end} do not come in pairs")
    for one in events:
        expect(one["ph"] in "MXbesfi" and isinstance(one["name"], str), f"what is this: {one}")


def check_junit(path, kind):
    suites = xml.etree.ElementTree.parse(path).getroot()
    expect(suites.tag == "testsuites" and suites.get("failures") == "1", "not one failure")
    suite = suites.find("testsuite")
    for key in ("name", "tests", "failures", "errors", "skipped", "time"):
        expect(suite.get(key) is not None, f"the suite has no {key}")
    case = suite.find("testcase")
    expect(case.get("classname") and case.get("name"), "the case has no name")
    expect(case.find("failure").get("type") == kind and case.find("failure").text, "the failure is not told")


def check_json(path, kind):
    report = json.loads(path.read_text())
    expect(report["command"] == "explain" and report["findings"][0]["kind"] == kind, "the finding is not in the JSON")
    expect(report["findings"][0]["cause"] is not None, "the JSON has no cause")


def check_html(path):
    page = path.read_text()
    found = re.search(r'<script id="ravel-data" type="application/json">(.*?)</script>', page, re.DOTALL)
    expect(found, "the page has no data")
    data = json.loads(found.group(1))
    explanation = data["findings"][0]["explanation"]
    steps = explanation["failing"]["steps"]
    numbers = {step["number"]: step["task"] for step in steps}
    expect(any(step.get("mark") == 1 for step in steps), "no step is marked")
    for first, second, kind in explanation["failing"]["orders"]:
        expect(first < second and numbers[first] != numbers[second], f"{kind} orders {first} before {second}")
    for span in explanation["failing"]["held"] + explanation["failing"]["waits"]:
        expect(span["first"] <= span["last"] <= len(steps), f"a span without end: {span}")
    expect(data["sources"], "the page has no sources")
    return data
