"""Half of the valid calls get words that exist: a department, a day that is to come, a slug. A schema cannot know them, and without
them nearly every call would end at the first rule of its service."""

import datetime
import os
import random

import requests
import schemathesis

SITE = os.environ["FUZZ_SITE"]


def listed(path, key, name):
    answer = requests.get(f"{SITE}/api{path}", timeout=10)
    answer.raise_for_status()
    return [entry[name] for entry in answer.json()[key] if entry[name]]


DEPARTMENTS = [entry for entry in listed("/departments", "departments", "name") if entry != "Emergency"]
DOCTORS = listed("/doctors", "doctors", "slug")
WORDS = {
    "department": DEPARTMENTS,
    "doctor": DOCTORS,
    "doctors": DOCTORS,
    "doctorId": listed("/doctors", "doctors", "id") + [""],
    "service": listed("/services", "services", "slug"),
    "specialty": listed("/specialties", "specialties", "slug"),
    "surgery": listed("/surgeries", "surgeries", "slug"),
    "event": listed("/events", "events", "id"),
    "news": listed("/news", "news", "slug"),
    "blog": listed("/blogs", "blogs", "slug"),
    "page": ["privacy", "terms", "cookies", "emergency", "about"],
    "time": ["9:00 AM", "10:30 AM", "2:00 PM", "4:30 PM"],
    "patientName": ["Asha Rao", "Kiran Kumar"],
    "name": ["Asha Rao", "Kiran Kumar"],
    "subject": ["Visiting hours", "A question"],
    "phone": ["+91 80 0000 0199", "080 0000 0142"],
    "resource": ["doctor:doc-01", "clinic:uro"],
    "schedule": ["doctor:doc-01", "clinic:uro"],
    "month": ["2026-08", "2026-09"],
    "notes": [""],
    "holdId": [""],
    "replaces": [""],
}


def days():
    today = datetime.date.today()
    return [str(today + datetime.timedelta(days=ahead)) for ahead in range(1, 50)]


def known(values, pick):
    for key, value in list((values or {}).items()):
        if key == "date" or (key in ("from", "to", "until") and "resource" in values):
            values[key] = pick.choice(days())
        elif key in ("from", "until") and "weekdays" in values:
            values[key] = {"from": "9:00 AM", "until": "1:00 PM"}[key]
        elif key in WORDS and isinstance(value, str):
            values[key] = pick.choice(WORDS[key])


@schemathesis.hook
def before_call(context, case, kwargs):
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive:
        return
    # Seeded by the case itself, so that a run with the same seed is reproducible.
    pick = random.Random(repr((case.path_parameters, case.query, case.body)))
    if pick.random() < 0.5:
        return
    for key in list(case.path_parameters or {}):
        if key in WORDS:
            case.path_parameters[key] = pick.choice(WORDS[key])
    known(case.query, pick)
    if isinstance(case.body, dict):
        known(case.body, pick)
