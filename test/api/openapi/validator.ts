import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { OpenApiDocument } from '../../../api/openapi/document.ts';

type Tree = Record<string, unknown>;

/** By their document, without the address that it is served from: installations of one process compile a schema once. */
const validators = new Map<string, ReturnType<typeof compileAll>>();

/**
 * Judges answers by the document itself. Published schemas are open, so that an answer may grow; here they are closed,
 * so that a key which the document does not mention is seen.
 */
export function createValidator(document: OpenApiDocument) {
  const name = JSON.stringify(document).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '');
  const known = validators.get(name) ?? compileAll(document);
  validators.set(name, known);
  return known;
}

function compileAll(document: OpenApiDocument) {
  // What many answers share is compiled once, and as it stands: they are looked at seldom.
  const economy = { inlineRefs: false, code: { optimize: false } };
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true, ...economy });
  ajv.addSchema({ $id: 'document', ...(close(document) as Tree) });
  const compiled = new Map<string, ValidateFunction>();

  function compile(pointer: string): ValidateFunction {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `document${pointer}` });
    compiled.set(pointer, known);
    return known;
  }

  /** What is wrong with an answer; empty when it is as documented. */
  return function violations(path: string, method: string, status: number, body: unknown): string[] {
    const described = document.paths[path]?.[method]?.responses[String(status)];
    if (described === undefined) return [`${method} ${path} does not document the status ${status}`];
    const steps = ['paths', path, method, 'responses', String(status), 'content', 'application/json', 'schema'];
    const validate = compile(`#/${steps.map(escapeStep).join('/')}`);
    if (validate(body)) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) =>
      `${instancePath} ${message ?? ''} ${JSON.stringify(params)}`.trim(),
    );
  };
}

/** RFC 6901 in a URI fragment. */
const escapeStep = (step: string): string => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));

function close(tree: unknown): unknown {
  if (Array.isArray(tree)) return tree.map(close);
  if (typeof tree !== 'object' || tree === null) return tree;
  const closed: Tree = Object.fromEntries(Object.entries(tree).map(([key, value]) => [key, close(value)]));
  const isObject = closed['type'] === 'object' && closed['properties'] !== undefined;
  return isObject ? { additionalProperties: false, ...closed } : closed;
}
