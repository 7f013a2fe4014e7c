import { z } from 'zod';
import { FetchFailure } from '../fetch-failure.ts';
import type { FetchedText } from '../guarded-fetch.ts';
import type { LookupTools } from '../lookup.ts';
import { parseJson } from '../json.ts';

/** The relay (version 1) carries a message from the recipient's phone to us. */
export type FarcasterRelay = {
  /** Null: no usable answer. */
  open: (request: ChannelRequest, signal: AbortSignal) => Promise<Channel | null>;
  read: (channelToken: string, signal: AbortSignal) => Promise<ChannelAnswer>;
};

export type ChannelRequest = { siweUri: string; domain: string; nonce: string; expirationTime: string };

/** `url` opens the recipient's Farcaster app, or is shown to it as a QR code. */
export type Channel = { channelToken: string; url: string };

export type SignedMessage = { message: string; signature: `0x${string}` };

export type ChannelAnswer =
  | { kind: 'pending' }
  /** Answered once: the relay forgets what it has delivered. */
  | { kind: 'signed'; signed: SignedMessage }
  /** The relay does not know the channel, or no longer. */
  | { kind: 'gone' }
  | { kind: 'unavailable' };

const openedSchema = z.object({
  channelToken: z.string().regex(/^[\x21-\x7E]{8,200}$/),
  url: z.url({ protocol: /^https?$/ }).max(2_000),
  nonce: z.string(),
});
/** Contract wallets have long signatures, above all before they are deployed. */
const completedSchema = z.object({
  state: z.literal('completed'),
  message: z.string().max(10_000),
  signature: z.templateLiteral(['0x', z.string().regex(/^(?:[0-9a-fA-F]{2}){64,8192}$/)]),
});

/** `fetch` follows no redirect, because the channel's token is enough to read the answer. */
export function createFarcasterRelay(relayUrl: string, tools: LookupTools, allowsHttp: boolean): FarcasterRelay {
  const root = relayUrl.replace(/\/$/, '');
  return {
    open: async (request, signal) => {
      const answer = await ask(tools, () =>
        tools.fetch.send(`${root}/v1/channel`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json' },
          body: JSON.stringify({ ...request, acceptAuthAddress: true }),
          signal,
        }),
      );
      if (answer === null) return null;
      const opened = openedSchema.safeParse(parseJson(answer.text));
      const isOurs = opened.success && opened.data.nonce === request.nonce;
      if (answer.status !== 201 || !isOurs || !(allowsHttp || opened.data.url.startsWith('https:'))) {
        tools.report(`unexpected channel with status ${answer.status}`);
        return null;
      }
      return { channelToken: opened.data.channelToken, url: opened.data.url };
    },
    read: async (channelToken, signal) => {
      const headers = { authorization: `Bearer ${channelToken}`, accept: 'application/json' };
      const answer = await ask(tools, () => tools.fetch.get(`${root}/v1/channel/status`, { headers, signal }));
      if (answer === null) return { kind: 'unavailable' };
      if (answer.status === 202) return { kind: 'pending' };
      if (answer.status === 401) return { kind: 'gone' };
      const completed = completedSchema.safeParse(parseJson(answer.text));
      if (answer.status === 200 && completed.success) {
        const { message, signature } = completed.data;
        return { kind: 'signed', signed: { message, signature } };
      }
      tools.report(`unexpected state of a channel with status ${answer.status}`);
      return { kind: 'unavailable' };
    },
  };
}

async function ask({ report }: LookupTools, exchange: () => Promise<FetchedText>): Promise<FetchedText | null> {
  try {
    return await exchange();
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error;
    report(error.fault);
    return null;
  }
}
