import type { RandomBytes } from '../../core/ids.ts';
import type { LookupTools } from '../lookup.ts';
import { createFindFarcasterAccount } from './farcaster-account.ts';
import { createConnector, type NodeTrouble } from './farcaster-chain.ts';
import { readMessage } from './farcaster-message.ts';
import { createFarcasterRelay, type SignedMessage } from './farcaster-relay.ts';
import { toPayoutQuery } from './payout.ts';
import { refuse, UNAVAILABLE, type PayoutTarget, type ProofOutcome } from './port.ts';

/** Long enough to reach for a phone, and shorter than the hour for which the relay keeps a channel. */
export const FARCASTER_CHANNEL_MS = 10 * 60_000;

export type FarcasterSettings = { relayUrl: string; hubUrl: string; optimismRpcUrl: string };

export type FarcasterOptions = {
  /** The public address of this service. */
  baseUrl: string;
  /** For the relay on the internet; follows no redirect. */
  relayTools: LookupTools;
  /** For the hub and the node, which the operator may run on this machine. */
  operatorTools: LookupTools;
  random: RandomBytes;
  now: () => number;
  /** Accepts a relay without TLS, such as the stand-in of local mode. */
  allowsHttp?: boolean;
};

/** Stored with the claim. `url` goes to the recipient: a link on the phone, a QR code elsewhere. */
export type FarcasterChannel = {
  channelToken: string;
  url: string;
  nonce: string;
  /** Part of the signed message: names the claim and the payout. */
  uri: string;
  handle: string;
  expiresAtMs: number;
};

export type FarcasterAnswer =
  | { kind: 'pending' }
  /** Store it until `finish` has decided: the relay delivers it once. */
  | { kind: 'signed'; signed: SignedMessage }
  | Exclude<ProofOutcome, { kind: 'proven' }>;

export type FarcasterProof = {
  begin: (claim: { handle: string; payout: PayoutTarget; signal: AbortSignal }) => Promise<FarcasterBegun>;
  poll: (question: { channel: FarcasterChannel; signal: AbortSignal }) => Promise<FarcasterAnswer>;
  finish: (answer: { channel: FarcasterChannel; signed: SignedMessage; signal: AbortSignal }) => Promise<ProofOutcome>;
};

export type FarcasterBegun = { kind: 'begun'; channel: FarcasterChannel } | { kind: 'unavailable' };

/** Sign In With Farcaster: the account's own key, or one that it lets sign in, signs the payout. */
export function createFarcasterProof(settings: FarcasterSettings, options: FarcasterOptions): FarcasterProof {
  const { baseUrl, relayTools, operatorTools, random, now, allowsHttp = false } = options;
  const domain = new URL(baseUrl).host;
  const relay = createFarcasterRelay(settings.relayUrl, relayTools, allowsHttp);
  const findAccount = createFindFarcasterAccount(settings, operatorTools);
  return {
    begin: async ({ handle, payout, signal }) => {
      // The standard allows letters and digits only.
      const nonce = Buffer.from(random(16)).toString('hex');
      const uri = `${baseUrl}/claim/decsocial/${encodeURIComponent(handle)}?${toPayoutQuery(payout).toString()}`;
      const expiresAtMs = now() + FARCASTER_CHANNEL_MS;
      const expirationTime = new Date(expiresAtMs).toISOString();
      const opened = await relay.open({ siweUri: uri, domain, nonce, expirationTime }, signal);
      return opened === null ? UNAVAILABLE : { kind: 'begun', channel: { ...opened, nonce, uri, handle, expiresAtMs } };
    },
    poll: async ({ channel, signal }) => {
      if (now() >= channel.expiresAtMs) return { kind: 'refused', reason: 'expired' };
      const answer = await relay.read(channel.channelToken, signal);
      return answer.kind === 'gone' ? { kind: 'refused', reason: 'expired' } : answer;
    },
    finish: async ({ channel, signed, signal }) => {
      if (now() >= channel.expiresAtMs) return refuse('expired');
      const { nonce, uri, handle } = channel;
      const fid = readMessage(signed.message, { domain, uri, nonce });
      if (fid === null) return refuse('wrong_message');
      const { optimismRpcUrl: rpcUrl } = settings;
      const isSigner = await verify({ ...signed, fid, nonce, domain, rpcUrl, signal }, operatorTools);
      if (isSigner === null) return UNAVAILABLE;
      if (!isSigner) return refuse('wrong_signature');
      return (await findAccount(fid, handle, signal)) ?? UNAVAILABLE;
    },
  };
}

type Question = SignedMessage & { fid: string; nonce: string; domain: string; rpcUrl: string; signal: AbortSignal };

/** Whether the account itself signed. Null: the node gave no usable answer. */
async function verify(question: Question, tools: LookupTools): Promise<boolean | null> {
  const { message, signature, nonce, domain, rpcUrl, signal } = question;
  // Loaded with the first signature: its tables of all chains would cost a third of a second at every start.
  const { createAppClient, viemConnector } = await import('@farcaster/auth-client');
  const trouble: NodeTrouble = { hasHappened: false };
  const { publicClient } = viemConnector({ rpcUrl });
  const ethereum = createConnector({ rpcUrl, signal, trouble, publicClient }, tools);
  const verified = await createAppClient({ ethereum }).verifySignInMessage({ nonce, domain, message, signature });
  if (!verified.isError) return verified.success && String(verified.fid) === question.fid;
  return trouble.hasHappened ? null : false;
}
