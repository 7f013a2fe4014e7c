import type { z } from 'zod';
import { Failure } from './failure.ts';

/** One complaint about a body: where, Discord's code for it, and its text. */
export type Complaint = { path: readonly PropertyKey[]; code: string; message: string };

type ErrorTree = { [key: string]: ErrorTree | { code: string; message: string }[] };

/** 50035 with the complaints nested by field, as Discord answers it. */
export function formFailure(complaints: readonly Complaint[]): Failure {
  const tree: ErrorTree = {};
  for (const { path, code, message } of complaints) {
    let node = tree;
    for (const step of path) {
      const next = node[String(step)];
      const below: ErrorTree = next === undefined || Array.isArray(next) ? {} : next;
      node[String(step)] = below;
      node = below;
    }
    const here = node['_errors'];
    node['_errors'] = [...(Array.isArray(here) ? here : []), { code, message }];
  }
  return new Failure(400, 50035, 'Invalid Form Body', tree);
}

/** Reads what a client sent. Discord overlooks unknown fields; here they are mistakes, because they have no effect. */
export function readForm<Output>(form: z.ZodType<Output>, sent: unknown, at: readonly PropertyKey[] = []): Output {
  const read = form.safeParse(sent, { reportInput: true });
  if (read.success) return read.data;
  throw formFailure(
    read.error.issues.flatMap(complaintsOf).map((complaint) => ({ ...complaint, path: [...at, ...complaint.path] })),
  );
}

/** For rules that zod has no word for: the code goes into the issue's params. */
export function complaint(path: PropertyKey[], code: string, message: string) {
  return { code: 'custom' as const, path, message, params: { discord: code } };
}

function complaintsOf(issue: z.core.$ZodIssue): Complaint[] {
  const { path } = issue;
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        path: [...path, key],
        code: 'UNKNOWN_FIELD',
        message: 'Discord knows no such field here and would ignore it.',
      }));
    case 'invalid_type':
      return [{ path, ...wrongType(issue.expected, issue.input) }];
    case 'too_big':
      return [{ path, ...tooBig(issue.origin, Number(issue.maximum)) }];
    case 'too_small':
      return [{ path, ...tooSmall(issue.origin, Number(issue.minimum)) }];
    case 'invalid_value':
      return [
        { path, code: 'BASE_TYPE_CHOICES', message: `Value must be one of {${issue.values.map(String).join(', ')}}.` },
      ];
    case 'invalid_union':
      if (issue.errors.length > 0) return issue.errors[0]?.flatMap(complaintsOf).map(under(path)) ?? [];
      return [{ path, code: 'UNION_TYPE_CHOICES', message: 'The value is none of the allowed types here.' }];
    case 'custom':
      return [{ path, code: String(issue.params?.['discord'] ?? 'BASE_TYPE_CHOICES'), message: issue.message }];
    case 'invalid_format':
      return [{ path, code: 'STRING_TYPE_REGEX', message: 'String value did not match validation regex.' }];
    case 'not_multiple_of':
    case 'invalid_key':
    case 'invalid_element':
      return [{ path, code: 'BASE_TYPE_CHOICES', message: issue.message }];
  }
}

function under(path: readonly PropertyKey[]) {
  return (found: Complaint): Complaint => ({ ...found, path: [...path, ...found.path] });
}

function wrongType(expected: string, input: unknown): { code: string; message: string } {
  if (input === undefined || input === null) return { code: 'BASE_TYPE_REQUIRED', message: 'This field is required' };
  switch (expected) {
    case 'string':
      return { code: 'STRING_TYPE_CONVERT', message: 'Could not interpret the value as string.' };
    case 'number':
    case 'int':
      return { code: 'NUMBER_TYPE_COERCE', message: 'The value is not int.' };
    case 'boolean':
      return { code: 'BOOLEAN_TYPE_CONVERT', message: 'Must be either true or false.' };
    case 'array':
      return { code: 'LIST_TYPE_CONVERT', message: 'Only iterables may be used in a ListType' };
    default:
      return { code: 'DICT_TYPE_CONVERT', message: 'Only dictionaries may be used in a DictType' };
  }
}

function tooBig(origin: string, most: number): { code: string; message: string } {
  return origin === 'number' || origin === 'int'
    ? { code: 'NUMBER_TYPE_MAX', message: `int value should be less than or equal to ${most}.` }
    : { code: 'BASE_TYPE_MAX_LENGTH', message: `Must be ${most} or fewer in length.` };
}

function tooSmall(origin: string, least: number): { code: string; message: string } {
  if (origin === 'number' || origin === 'int') {
    return { code: 'NUMBER_TYPE_MIN', message: `int value should be greater than or equal to ${least}.` };
  }
  return least <= 1
    ? { code: 'BASE_TYPE_REQUIRED', message: 'This field is required' }
    : { code: 'BASE_TYPE_MIN_LENGTH', message: `Must be ${least} or more in length.` };
}
