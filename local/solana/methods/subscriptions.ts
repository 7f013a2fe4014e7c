/** The subscriptions of one websocket. */
import { z } from 'zod';
import type { Chain } from '../chain/chain.ts';
import { type Methods, defineMethod, noParams } from '../rpc/method.ts';
import { accountEncodingSchema, addressSchema, commitmentSchema, signatureSchema } from '../rpc/params.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import { type Watch, watchAccount, watchSignature, watchSlots } from './watches.ts';

const SUBSCRIPTIONS_MAX = 1_000;

const signatureConfigSchema = z
  .strictObject({
    commitment: commitmentSchema.optional(),
    /** Arrival of a transaction is not announced here. */
    enableReceivedNotification: z.literal(false).optional(),
  })
  .nullish();
const accountConfigSchema = z
  .strictObject({ commitment: commitmentSchema.optional(), encoding: accountEncodingSchema.optional() })
  .nullish();

export type Subscriptions = { methods: Methods; tell: () => void };

export function createSubscriptions(chain: Chain, send: (message: object) => void): Subscriptions {
  const watches = new Map<number, Watch>();
  let last = 0;

  function subscribe(watch: Watch): number {
    if (watches.size >= SUBSCRIPTIONS_MAX) throw new RpcError(-32000, `more than ${SUBSCRIPTIONS_MAX} subscriptions`);
    last += 1;
    watches.set(last, watch);
    return last;
  }

  const unsubscribe = defineMethod(z.tuple([z.int()]), ([id]) => {
    if (!watches.delete(id)) throw new RpcError(-32602, 'Invalid subscription id.');
    return true;
  });

  return {
    methods: {
      signatureSubscribe: defineMethod(z.tuple([signatureSchema, signatureConfigSchema]), ([signature, config]) =>
        subscribe(watchSignature(chain, signature, config?.commitment)),
      ),
      accountSubscribe: defineMethod(z.tuple([addressSchema, accountConfigSchema]), ([address, config]) =>
        subscribe(watchAccount(chain, address, config ?? {})),
      ),
      slotSubscribe: defineMethod(noParams, () => subscribe(watchSlots(chain))),
      signatureUnsubscribe: unsubscribe,
      accountUnsubscribe: unsubscribe,
      slotUnsubscribe: unsubscribe,
      // Sent by web3.js every few seconds, to keep the connection open.
      ping: () => null,
    },
    /** Finds what has become true, and sends it. */
    tell() {
      for (const [subscription, watch] of watches) {
        const result = watch.look();
        if (!result) continue;
        if (watch.isOnce) watches.delete(subscription);
        send({ jsonrpc: '2.0', method: watch.notification, params: { subscription, result } });
      }
    },
  };
}
