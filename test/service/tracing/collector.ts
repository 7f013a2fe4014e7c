/** A collector that takes OTLP as JSON over HTTP and refuses whatever is not exactly that. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const nanos = z.string().regex(/^[0-9]{19}$/);
const id = (digits: number) => z.string().regex(new RegExp(`^(?!0+$)[0-9a-f]{${digits}}$`));
const attribute = z.strictObject({
  key: z.string(),
  value: z.union([z.strictObject({ stringValue: z.string() }), z.strictObject({ intValue: z.int() })]),
});
const attributes = z.array(attribute);
const link = z.looseObject({ traceId: id(32), spanId: id(16), attributes: z.array(z.never()) });
const span = z.strictObject({
  traceId: id(32),
  spanId: id(16),
  parentSpanId: id(16).optional(),
  name: z.string(),
  kind: z.int(),
  startTimeUnixNano: nanos,
  endTimeUnixNano: nanos,
  attributes,
  droppedAttributesCount: z.literal(0),
  events: z.array(z.never()),
  droppedEventsCount: z.literal(0),
  status: z.strictObject({ code: z.int() }),
  links: z.array(link),
  droppedLinksCount: z.literal(0),
  flags: z.int(),
});
const body = z.strictObject({
  resourceSpans: z.array(
    z.looseObject({
      resource: z.looseObject({ attributes }),
      scopeSpans: z.array(
        z.looseObject({ scope: z.looseObject({ name: z.literal('pennypost') }), spans: z.array(span) }),
      ),
    }),
  ),
});

export type SeenSpan = {
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  name: string;
  startMs: number;
  endMs: number;
  attributes: Record<string, string | number>;
  links: { traceId: string; spanId: string }[];
  /** Of the process that sent it. */
  roles: string;
};

export type Collector = Awaited<ReturnType<typeof startCollector>>;

/** `hangs`: takes the connection and never answers. */
export async function startCollector({ authorization = '', hangs = false } = {}) {
  const spans: SeenSpan[] = [];
  const texts: string[] = [];
  const refused: string[] = [];
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    if (hangs) return;
    void readText(request).then((text) => {
      const isRight =
        request.method === 'POST' &&
        request.url === '/v1/traces' &&
        request.headers['content-type'] === 'application/json' &&
        request.headers.authorization === authorization;
      const parsed = isRight ? body.safeParse(JSON.parse(text)) : null;
      if (parsed?.success !== true) {
        refused.push(`${request.method} ${request.url}: ${parsed?.error.message ?? 'headers'}`);
        response.writeHead(400).end();
        return;
      }
      texts.push(text);
      spans.push(...spansOf(parsed.data));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"partialSuccess":{}}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    /** Everything that has left, as it came. */
    texts,
    refused,
    asked: () => asked,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function spansOf({ resourceSpans }: z.infer<typeof body>): SeenSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const roles = String(recordOf(resource.attributes)['pennypost.roles']);
    return scopeSpans.flatMap((scope) =>
      scope.spans.map((one) => ({
        traceId: one.traceId,
        spanId: one.spanId,
        parentSpanId: one.parentSpanId ?? null,
        name: one.name,
        startMs: Number(BigInt(one.startTimeUnixNano) / 1_000_000n),
        endMs: Number(BigInt(one.endTimeUnixNano) / 1_000_000n),
        attributes: recordOf(one.attributes),
        links: one.links.map(({ traceId, spanId }) => ({ traceId, spanId })),
        roles,
      })),
    );
  });
}

function recordOf(list: z.infer<typeof attributes>): Record<string, string | number> {
  return Object.fromEntries(
    list.map(({ key, value }) => [key, 'stringValue' in value ? value.stringValue : value.intValue]),
  );
}

async function readText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
