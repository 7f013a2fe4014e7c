import type { z } from 'zod';
import type { Upload } from '../body.ts';
import { readParameters } from '../parameters.ts';
import type { Platform } from '../platform.ts';

export type CallContext = {
  uploads: Map<string, Upload>;
  /** Aborted when the caller has gone. */
  hungUp: AbortSignal;
};

export type Method = (
  platform: Platform,
  raw: Record<string, unknown>,
  strict: boolean,
  context: CallContext,
) => Promise<unknown>;

/** A method is the schema of its parameters and what it does with them; what it answers is the call's result. */
export function method<Schema extends z.ZodType>(
  parameters: Schema,
  run: (platform: Platform, parameters: z.infer<Schema>, context: CallContext) => unknown,
): Method {
  return async (platform, raw, strict, context) => run(platform, readParameters(parameters, raw, strict), context);
}
