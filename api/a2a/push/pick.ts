import { z } from 'zod';
import { honoured } from './target.ts';
import { Refusal } from '../refusal.ts';

/**
 * What the library may read of a config, in both versions' names. Texts only: it would make texts of anything, and log
 * what it leaves out.
 */
const text = z.string();
const authentication = z
  .object({ scheme: text.optional(), schemes: z.array(text).max(20).optional(), credentials: text.optional() })
  .nullish();
const config = z.object({
  id: text.optional(),
  taskId: text.optional(),
  url: text,
  token: text.nullish(),
  authentication,
});
const named = { id: text.optional(), taskId: text.optional(), pushNotificationConfigId: text.optional() };
const calls = z.object({
  ...named,
  url: text.optional(),
  token: text.nullish(),
  authentication,
  pushNotificationConfig: config.optional(),
});
const configs = z.object({
  taskPushNotificationConfig: config.nullish(),
  pushNotificationConfig: config.nullish(),
});

/** The params of a method about configs. */
export function pickPush(params: Record<string, unknown>): Record<string, unknown> {
  const { pushNotificationConfig, ...flat } = parse(calls, params, 'params');
  const nested = pushNotificationConfig === undefined ? {} : { pushNotificationConfig: pick(pushNotificationConfig) };
  return { ...pick(flat), ...nested };
}

/** The config beside a message. */
export function pickConfigs(configuration: Record<string, unknown>): Record<string, unknown> {
  const found = Object.entries(parse(configs, configuration, 'configuration'));
  return Object.fromEntries(found.flatMap(([name, one]) => (one ? [[name, pick(one)]] : [])));
}

type Picked = { token?: string | null | undefined; authentication?: z.infer<typeof authentication> };

/** 0.3 lets a receiver name several schemes; the library takes the first, so it sees the one that can be honoured. */
function pick<T extends Picked>({ token, authentication: given, ...rest }: T): Record<string, unknown> {
  const { schemes = [], ...more } = given ?? {};
  const [first] = schemes.filter((scheme) => honoured(scheme) !== null).concat(schemes);
  const scheme = first === undefined ? {} : { schemes: [first] };
  return {
    ...rest,
    ...(typeof token === 'string' ? { token } : {}),
    ...(given ? { authentication: { ...more, ...(more.scheme === undefined ? scheme : {}) } } : {}),
  };
}

function parse<T>(schema: z.ZodType<T>, value: unknown, field: string): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const path = read.error.issues[0]?.path.map(String) ?? [];
  throw new Refusal('invalid_params', {
    field: [field, ...path].join('.'),
    detail: 'A push notification config is {"url": "https://…", "token": "…"}, with texts only.',
  });
}
