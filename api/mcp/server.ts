import { ProtocolError, Server, type CallToolResult } from '@modelcontextprotocol/server';
import { AppError } from '../../core/errors.ts';
import type { Called } from './call.ts';
import { PAYMENT_REQUIRED, refusalOf, toRefusal, type Refusal } from './refusal.ts';
import type { Toolbox } from './tools.ts';

/** Version of the interface description. */
export const INTERFACE_VERSION = '1.0.0';
/** The tools are the same until the next start, and for all callers. */
const CACHED = { ttlMs: 300_000, cacheScope: 'public' } as const;

/** For the model of a host, beside the descriptions of the tools. */
const INSTRUCTIONS = `Sends USDC to people by the names they go by. A call of a paid tool without a payment charges nothing: it is answered with error ${PAYMENT_REQUIRED}, whose data has the price (x402 "accepts") and a taskId. Repeat the same tool with the same arguments, the signed payment in _meta["x402/payment"] and the taskId in _meta.taskId. After a timeout or settlement_pending repeat exactly that call; never sign a second payment for it. validate_payment is free and says what became of a payment.`;

/** The outcome of one exchange, recorded while the library writes the response. */
export type Log = { called: Called | null; refusal: Refusal | null };

export type ServerParts = {
  baseUrl: string;
  toolbox: Toolbox;
  call: () => Promise<Called>;
  cursor: unknown;
  /** Called for an unexpected error. */
  onFailure: (error: unknown) => void;
};

/** A server for one message: it records the outcome in `log`, where the library would only pass it on. */
export function createServer({ baseUrl, toolbox, call, cursor, onFailure }: ServerParts, log: Log): Server {
  const server = new Server(
    { name: 'pennypost', title: 'pennypost', version: INTERFACE_VERSION, websiteUrl: baseUrl },
    {
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      cacheHints: { 'tools/list': CACHED, 'server/discover': CACHED },
    },
  );
  const answering = async <T>(answer: () => T | Promise<T>): Promise<T> => {
    try {
      return await answer();
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === null) onFailure(error);
      log.refusal = refusal ?? toRefusal(new AppError('internal_error'));
      throw new ProtocolError(log.refusal.code, log.refusal.message, log.refusal.data);
    }
  };
  server.setRequestHandler('tools/list', () =>
    answering(() => {
      if (cursor === undefined) return { tools: [...toolbox.listed] };
      throw new AppError('validation_failed', { field: 'cursor', detail: 'There is one page only.' });
    }),
  );
  server.setRequestHandler('tools/call', () =>
    answering(async (): Promise<CallToolResult> => {
      log.called = await call();
      return log.called.result;
    }),
  );
  return server;
}
