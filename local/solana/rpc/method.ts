/** What a method is: checked parameters in, a result out. */
import { z } from 'zod';
import { invalidParams } from './rpc-error.ts';

/** Answers the result, or throws an `RpcError`. */
export type Method = (params: unknown) => unknown;
export type Methods = Record<string, Method>;

/** Parameters come in a list; those at its end that may be absent may be null too. */
export function defineMethod<S extends z.ZodType>(schema: S, run: (params: z.output<S>) => unknown): Method {
  return (params) => {
    const parsed = schema.safeParse(params ?? []);
    if (!parsed.success) throw invalidParams(`Invalid params: ${describe(parsed.error)}`);
    return run(parsed.data);
  };
}

export const noParams = z.tuple([]);

function describe(error: z.ZodError): string {
  const [issue] = error.issues;
  if (!issue) return 'they are not what this method takes';
  return issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`;
}
