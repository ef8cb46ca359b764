/** Validation against HL7's published FHIR R4 (4.0.1) definitions, plus rules that the validator lacks. */
import fhir from 'fhir';

const validator = new fhir.Fhir();

/** Data type `instant`: at least to the second, with an offset. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
/** Data type `id`. */
const ID = /^[A-Za-z0-9.-]{1,64}$/;

/** Returns the problems of a resource as texts; empty if there are none. */
export function problemsOf(resource) {
  const { messages } = validator.validate(resource, { errorOnUnexpected: true });
  const structure = messages
    .filter(({ severity }) => severity === 'error' || severity === 'fatal')
    .map(({ location, message }) => `${location}: ${message}`);
  return [...structure, ...(resource.resourceType === 'Bundle' ? ofBundle(resource) : ofResource(resource))];
}

function ofBundle({ entry = [] }) {
  const addresses = entry.map(({ fullUrl }) => fullUrl);
  const problems = entry.flatMap(({ resource }) => ofResource(resource));
  if (new Set(addresses).size !== addresses.length) problems.push('bdl-7: duplicate fullUrl');
  for (const { fullUrl, resource } of entry)
    if (!fullUrl?.endsWith(`/${resource.resourceType}/${resource.id}`)) problems.push(`${fullUrl} is another resource`);
  return problems;
}

function ofResource(resource) {
  const { resourceType, id, contained = [] } = resource;
  const text = JSON.stringify(resource);
  const problems = [];
  if (!ID.test(id)) problems.push(`${resourceType}: ${id} is not an id`);
  if (/null|\[\]|""/.test(text)) problems.push(`${resourceType}/${id}: ele-1: an element is empty`);
  for (const own of contained)
    if (!text.includes(`"reference":"#${own.id}"`)) problems.push(`dom-3: no reference to #${own.id}`);
  for (const field of ['start', 'end'])
    if (resource[field] !== undefined && !INSTANT.test(resource[field])) problems.push(`${field}: not an instant`);
  if (resourceType === 'Appointment') problems.push(...ofAppointment(resource));
  return problems;
}

function ofAppointment({ status, start, end, participant = [] }) {
  const problems = [];
  if (!start !== !end) problems.push('app-2: start without end, or end without start');
  if (!start && !['proposed', 'cancelled', 'waitlist'].includes(status)) problems.push('app-3: start is missing');
  if (!participant.every(({ actor, type }) => actor || type))
    problems.push('app-1: a participant has neither type nor actor');
  return problems;
}
