#!/usr/bin/env python3
"""Asks a running server the way a released `ctxprotocol` client does: `acceptance.py BASE_URL API_KEY ANCHORS`.

One script for every pinned version: an argument that a version does not know is left out of the call. Each check prints
one line of JSON, `{"check", "ok", "detail"}`; the exit code is 1 when any failed. A response that the client's own
models refuse fails the check that asked for it. ANCHORS is a file of gate cases, which every version is asked as far as it
can say them: a version that knows no `clarification_policy` must never get a question back.
"""

import asyncio
import inspect
import json
import sys
import tomllib
import uuid
from importlib.metadata import version

import httpx
from ctxprotocol import ContextClient, ContextError

QUESTION = "Which exchanges saw the largest BTC inflows in the last 24 hours?"
UNRELATED_LISTING = "weather forecast"
UNKNOWN_ID = "00000000-0000-4000-8000-000000000000"
EVERYTHING = {"include_data": True, "include_data_url": True, "include_developer_trace": True}


async def main(base_url, api_key, anchors):
    failures = 0
    with open(anchors, "rb") as file:
        cases = tomllib.load(file)["case"]
    async with ContextClient(api_key=api_key, base_url=base_url) as client:
        asked = [(check.__name__, check(client)) for check in checks(client)]
        asked += [(case["id"], anchor(client, case)) for case in cases]
        for name, check in asked:
            ok, detail = await outcome(check)
            failures += not ok
            print(json.dumps({"check": name, "ok": ok, "detail": detail}), flush=True)
    return 1 if failures else 0


def checks(client):
    yield from (discovery_search, discovery_featured, discovery_get)
    yield from (run_answer, run_with_everything, run_evidence_only, run_miss, run_twice_with_one_key)
    yield from (stream_answer, stream_with_everything, stream_evidence_only, stream_miss)
    yield from (run_unknown_tool, stream_unknown_tool, run_empty_query, stream_empty_query, get_unknown_tool)
    if hasattr(client.query, "start"):
        yield from (job_answer, job_unknown)


async def outcome(check):
    try:
        return True, await check
    except Exception as failure:
        return False, f"{type(failure).__name__}: {failure}"


# Discovery


async def discovery_search(client):
    tools = await client.discovery.search("exchange inflows", 5)
    expect(0 < len(tools) <= 5, f"{len(tools)} tools for a limit of 5")
    for tool in tools:
        expect(tool.mcp_tools, f"{tool.name} lists no method")
        expect(all(method.input_schema for method in tool.mcp_tools), f"{tool.name} has a method without input schema")
    return ", ".join(tool.name for tool in tools)


async def discovery_featured(client):
    tools = await client.discovery.get_featured(3)
    expect(0 < len(tools) <= 3, f"{len(tools)} tools for a limit of 3")
    return ", ".join(tool.name for tool in tools)


async def discovery_get(client):
    found = (await client.discovery.search("exchange inflows", 1))[0]
    tool = await client.discovery.get(found.id)
    expect((tool.id, tool.name) == (found.id, found.name), f"asked for {found.id}, got {tool.id}")
    return tool.name


# Answers


async def run_answer(client):
    return expect_answer(await run(client, QUESTION))


async def run_with_everything(client):
    result = await run(client, QUESTION, response_shape="answer_with_evidence", **EVERYTHING)
    await expect_everything(result)
    return expect_answer(result)


async def run_evidence_only(client):
    return expect_evidence_only(await run(client, QUESTION, response_shape="evidence_only"))


async def run_twice_with_one_key(client):
    key = str(uuid.uuid4())
    first = await run(client, QUESTION, idempotency_key=key)
    second = await run(client, QUESTION, idempotency_key=key)
    expect(first.response == second.response, "the same key gave two answers")
    expect(first.duration_ms == second.duration_ms, "the same key ran the query twice")
    return expect_answer(second)


async def stream_answer(client):
    events, result = await stream(client, QUESTION)
    expect("tool-status" in events and "text-delta" in events, f"events: {events}")
    return expect_answer(result)


async def stream_with_everything(client):
    events, result = await stream(client, QUESTION, response_shape="answer_with_evidence", **EVERYTHING)
    expect("developer-trace" in events or result.developer_trace, f"events: {events}")
    await expect_everything(result)
    return expect_answer(result)


async def stream_evidence_only(client):
    _, result = await stream(client, QUESTION, response_shape="evidence_only")
    return expect_evidence_only(result)


async def job_answer(client):
    job = await client.query.start(QUESTION)
    completed = await client.query.poll(job.job_id, interval_ms=50)
    return expect_answer(completed.result)


# Capability misses


async def run_miss(client):
    tool = await unrelated_tool(client)
    return expect_miss(await run(client, QUESTION, tools=[tool.id]))


async def stream_miss(client):
    tool = await unrelated_tool(client)
    _, result = await stream(client, QUESTION, tools=[tool.id])
    return expect_miss(result)


async def unrelated_tool(client):
    return (await client.discovery.search(UNRELATED_LISTING, 1))[0]


# The gate


async def anchor(client, case):
    """One case of the release anchors, as far as this version of the client can say it."""
    knows_policies = "clarification_policy" in inspect.signature(client.query.run).parameters
    policy = case.get("policy", "return") if knows_policies else "none"
    pins = [(await listing(client, name)).id for name in case.get("pin", [])]
    wanted = {} if policy == "none" else {"clarification_policy": policy}
    expected = case["expected"][0]
    if expected == "clarification_required" and policy == "error":
        return await raised(run(client, case["query"], tools=pins, **wanted), expected)
    result = await run(client, case["query"], tools=pins, include_developer_trace=True, **wanted)
    if expected == "clarification_required" and policy == "return":
        return expect_clarification(result, case["query"])
    if expected == "capability_miss":
        return expect_miss(result, case["query"])
    said = expect_answer(result)
    if expected == "clarification_required" or case.get("assumption"):
        expect_assumption(result)
    else:
        expect(result.assumption_made is None, f"a clear question rests on {result.assumption_made}")
    return said


async def listing(client, name):
    found = [tool for tool in await client.discovery.search(name, 10) if tool.name == name]
    expect(len(found) == 1, f"{len(found)} tools are called {name}")
    return found[0]


async def raised(call, code):
    try:
        result = await call
    except ContextError as error:
        expect(error.code == code, f"{error.code}: {error}")
        return str(error)
    raise AssertionError(f"no error but {result.outcome_type}: {result.response}")


def expect_clarification(result, query):
    expect(result.outcome_type == "clarification_required", f"outcome {result.outcome_type}: {result.response}")
    card = result.clarification
    ids = [option.id for option in card.options]
    expect(card.question and card.original_query == query, f"a bad card: {card}")
    expect(1 <= len(ids) <= 3 and len(set(ids)) == len(ids), f"options: {ids}")
    recommended = [option.id for option in card.options if option.recommended]
    expect(recommended == [card.recommended_option_id], f"recommended: {recommended}")
    labels = [option.label for option in card.options]
    expect(len(set(labels)) == len(labels), f"two options read alike: {labels}")
    gate = result.developer_trace.diagnostics.clarification
    expect(gate is not None and gate.triggered and not gate.auto_resolved, f"the trace tells otherwise: {gate}")
    return " | ".join(labels)


def expect_assumption(result):
    made = result.assumption_made
    expect(made is not None and made.option_id and made.label and made.reason, f"no assumption: {made}")
    said = f"{made.label}: {made.reason}"
    expect(said in result.evidence.assumptions, f"{said} is not in {result.evidence.assumptions}")


# Errors


async def run_unknown_tool(client):
    return await refused(run(client, QUESTION, tools=[UNKNOWN_ID]))


async def stream_unknown_tool(client):
    return await refused(stream(client, QUESTION, tools=[UNKNOWN_ID]))


async def run_empty_query(client):
    return await refused(run(client, ""))


async def stream_empty_query(client):
    return await refused(stream(client, ""))


async def get_unknown_tool(client):
    return await refused(client.discovery.get(UNKNOWN_ID))


async def job_unknown(client):
    return await refused(client.query.get_status(UNKNOWN_ID))


async def refused(call):
    """The call must be refused as the caller's mistake: a status of 4xx, a code and a sentence."""
    try:
        await call
    except ContextError as error:
        status = error.status_code
        expect(status is not None and 400 <= status < 500, f"status {status} with {error}")
        expect(isinstance(error.code, str) and error.code, f"no code with status {status}: {error}")
        expect(isinstance(error.message, str) and error.message, f"no message with status {status}")
        return f"{status} {error.code}: {error.message}"
    raise AssertionError("the server accepted it")


# What a result must hold


def expect_answer(result):
    expect(result.outcome_type == "answer", f"outcome {result.outcome_type}: {result.response}")
    expect(result.response, "an empty response")
    expect(any(tool.skill_calls > 0 for tool in result.tools_used), f"no call was made: {result.tools_used}")
    return result.response[:120]


async def expect_everything(result):
    expect_evidence(result)
    expect(result.data is not None, "no data")
    expect(result.data_url, "no data URL")
    expect(result.developer_trace is not None, "no developer trace")
    expect(result.developer_trace.source != "sdk-fallback", "the client had to make up the trace")
    expect(result.developer_trace.timeline, "a trace with an empty timeline")
    async with httpx.AsyncClient() as plain:
        blob = await plain.get(result.data_url)
    expect(blob.status_code == 200, f"the data URL answers {blob.status_code}")
    blob.json()


def expect_evidence_only(result):
    expect(result.outcome_type == "answer", f"outcome {result.outcome_type}: {result.response}")
    expect(result.response_shape == "evidence_only", f"shape {result.response_shape}")
    expect_evidence(result)
    return result.response[:120]


def expect_evidence(result):
    expect(result.evidence is not None and result.evidence.facts, "no facts")
    expect(result.evidence.source_refs, "no source")
    for part in ("artifacts", "view", "freshness", "confidence", "usage"):
        expect(getattr(result, part) is not None, f"no {part}")


def expect_miss(result, query=QUESTION):
    expect(result.outcome_type == "capability_miss", f"outcome {result.outcome_type}: {result.response}")
    miss = result.capability_miss
    expect(miss is not None and miss.missing_capabilities and miss.suggested_rewrites, f"an empty miss: {miss}")
    expect(miss.original_query == query, f"another question: {miss.original_query}")
    expect(result.tools_used == [], "a miss that used tools")
    return miss.missing_capabilities[0]


def expect(condition, complaint):
    if not condition:
        raise AssertionError(complaint)


# The two ways to ask


async def run(client, query, **wanted):
    return await client.query.run(query, **known(client.query.run, interval_ms=50, **wanted))


async def stream(client, query, **wanted):
    """The types of the events in order, and the result of the one `done`."""
    events, results = [], []
    async for event in client.query.stream(query, **known(client.query.stream, **wanted)):
        events.append(event.type)
        expect(event.type != "error", f"an error event: {getattr(event, 'error', '')}")
        if event.type == "done":
            results.append(event.result)
    expect(len(results) == 1 and events[-1] == "done", f"not one done at the end: {events}")
    return events, results[0]


def known(method, **wanted):
    """The arguments that this version of the client has."""
    parameters = inspect.signature(method).parameters
    return {name: value for name, value in wanted.items() if name in parameters}


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: acceptance.py BASE_URL API_KEY ANCHORS")
    print(json.dumps({"check": "client", "ok": True, "detail": f"ctxprotocol {version('ctxprotocol')}"}))
    sys.exit(asyncio.run(main(*sys.argv[1:])))
