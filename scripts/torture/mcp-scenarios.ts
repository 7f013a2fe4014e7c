/**
 * Which official scenarios say nothing about this server, and why. Most of the suite is written for the reference server:
 * it calls tools of that server by name, or asks for capabilities that we do not declare because we have nothing to put
 * there. A scenario that is not named here must pass.
 */
const REFERENCE_TOOL = 'calls a tool of the reference server by its name';
const NO_CAPABILITY = 'asks for a capability that is not declared: there are tools and nothing else';
const NO_EXTENSION = 'tests an extension that is not offered';
const NO_STREAM = 'needs a stream of the server’s own: every answer here is one JSON body';

const SCENARIOS: readonly (readonly [RegExp, string])[] = [
  [/^tools-call-/, REFERENCE_TOOL],
  [/^json-schema-2020-12$/, REFERENCE_TOOL],
  [/^elicitation-/, REFERENCE_TOOL],
  [/^input-required-result-/, REFERENCE_TOOL],
  [/^http-custom-header-server-validation$/, 'needs a tool whose arguments are repeated in headers; none of ours are'],
  [/^(?:logging|completion|resources|prompts)-/, NO_CAPABILITY],
  [/^sep-2164-resource-not-found$/, NO_CAPABILITY],
  [/^(?:tasks|sep-2640)-/, NO_EXTENSION],
  [/^server-sse-polling$/, NO_STREAM],
];

/** Single checks inside scenarios that apply. */
const CHECKS: Readonly<Record<string, string>> = {
  'sep-2575-server-rejects-undeclared-capability': REFERENCE_TOOL,
  'sep-2575-missing-capability-http-400': REFERENCE_TOOL,
  'sep-2575-http-server-no-independent-requests-on-stream': REFERENCE_TOOL,
  'sep-2575-server-no-log-without-loglevel': REFERENCE_TOOL,
  'sep-2549-prompts-list-caching-hints': NO_CAPABILITY,
  'sep-2549-resources-list-caching-hints': NO_CAPABILITY,
  'sep-2549-resources-templates-list-caching-hints': NO_CAPABILITY,
  'sep-2243-server-accepts-whitespace-header-value':
    'wants the first tool to succeed with made-up arguments; it is reached, and refuses them',
};

/** Null for a scenario that applies. */
export function reasonAgainstScenario(name: string): string | null {
  return SCENARIOS.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

/** Null for a check that applies. */
export function reasonAgainstCheck(id: string): string | null {
  return CHECKS[id] ?? null;
}
