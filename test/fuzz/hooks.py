"""What schemathesis must not send, because the OpenAPI document cannot describe how the platform reads it."""

import re

import schemathesis

# What String.prototype.trim() of JavaScript removes.
BLANKS = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"


@schemathesis.hook
def before_call(context, case, kwargs):
    """The targets of webhooks are made up, and the platform would send requests to them: it sends none to this machine."""
    if isinstance(case.body, dict) and isinstance(case.body.get("url"), str):
        case.body["url"] = re.sub(r"^(https?://)[^/?#]*", r"\1127.0.0.1:9", case.body["url"])


@schemathesis.hook
def filter_body(context, body):
    """Without texts that are too long only with the blanks at their ends: these are removed before the length is checked."""
    return not has_trimmed_excess(getattr(body, "value", body))


def has_trimmed_excess(value):
    if isinstance(value, str):
        # The shortest limit is some 10 characters, the usual one 255: any text may be near its limit.
        return len(value.strip(BLANKS)) < len(value) and len(value) > 10
    if isinstance(value, dict):
        return any(has_trimmed_excess(member) for member in value.values())
    if isinstance(value, list):
        return any(has_trimmed_excess(member) for member in value)
    return False
