"""Writes buckets.json: configs with the canonical text that the arena must hash, and
the hash, by Python's own sha256. The canonical texts are written out by hand from the
rule (members but notes sorted, no spaces, null for what is left out, shortest numbers).

    python3 buckets.py > buckets.json
"""
import hashlib
import json

CASES = [
    ("only the required members",
     {"model": "claude-sonnet-5", "provider": "anthropic", "harness": "reference-1.0"},
     '{"context_window":null,"effort":null,"finetuned":null,"harness":"reference-1.0","model":"claude-sonnet-5",'
     '"provider":"anthropic","quantization":null,"temperature":null,"tools_allowed":null}'),
    ("every member",
     {"model": "Claude Sonnet 5", "provider": " Anthropic", "harness": "Reference-1.0", "effort": "high", "temperature": 0.7,
      "quantization": "q4_k_m", "context_window": 200000, "tools_allowed": False, "finetuned": True, "notes": "not hashed"},
     '{"context_window":200000,"effort":"high","finetuned":true,"harness":"reference-1.0","model":"claude-sonnet-5",'
     '"provider":"anthropic","quantization":"q4_k_m","temperature":0.7,"tools_allowed":false}'),
    ("a token budget and a whole temperature",
     {"model": "gpt-5", "provider": "openai", "harness": "x", "effort": 32000, "temperature": 1.0},
     '{"context_window":null,"effort":32000,"finetuned":null,"harness":"x","model":"gpt-5",'
     '"provider":"openai","quantization":null,"temperature":1,"tools_allowed":null}'),
    ("false is not left out",
     {"model": "m", "provider": "p", "harness": "h", "tools_allowed": False, "finetuned": False, "temperature": 0},
     '{"context_window":null,"effort":null,"finetuned":false,"harness":"h","model":"m",'
     '"provider":"p","quantization":null,"temperature":0,"tools_allowed":false}'),
    ("the alphabet's signs",
     {"model": "a.b:c/d+e@f(g)~*", "provider": "p_q", "harness": "h h"},
     '{"context_window":null,"effort":null,"finetuned":null,"harness":"h h","model":"a.b:c/d+e@f(g)~*",'
     '"provider":"p_q","quantization":null,"temperature":null,"tools_allowed":null}'),
]

print(json.dumps([
    {"name": name, "config": config, "canonical": canonical, "bucket_key": hashlib.sha256(canonical.encode()).hexdigest()}
    for name, config, canonical in CASES
], indent=1))
