import type { RandomBytes } from '../../core/ids.ts';
import type { LookupTools } from '../lookup.ts';
import { createFindFarcasterAccount } from './farcaster-account.ts';
import { createConnector, type NodeTrouble } from './farcaster-chain.ts';
import { readMessage } from './farcaster-message.ts';
import { createFarcasterRelay, type SignedMessage } from './farcaster-relay.ts';
import { toPayoutQuery } from './payout.ts';
import { refuse, UNAVAILABLE, type PayoutTarget, type ProofOutcome } from './port.ts';

/** Longer than anybody needs to take a phone out of a pocket, shorter than the hour that the relay keeps a channel. */
export const FARCASTER_CHANNEL_MS = 10 * 60_000;

export type FarcasterSettings = { relayUrl: string; hubUrl: string; optimismRpcUrl: string };

export type FarcasterOptions = {
  /** The address of this service, as people see it. */
  baseUrl: string;
  /** For the relay, which is somewhere on the internet; it follows no redirect. */
  relayTools: LookupTools;
  /** For the hub and the node, which the operator may run on this machine. */
  operatorTools: LookupTools;
  random: RandomBytes;
  now: () => number;
  /** Links of a relay without TLS, as the stand-in of local mode has. */
  allowsHttp?: boolean;
};

/** Kept with the claim. `url` goes to the person: as a link on the phone, as a QR code elsewhere. */
export type FarcasterChannel = {
  channelToken: string;
  url: string;
  nonce: string;
  /** What is signed besides: it names the claim and where the money shall go. */
  uri: string;
  handle: string;
  expiresAtMs: number;
};

export type FarcasterAnswer =
  | { kind: 'pending' }
  /** To be kept until `finish` has said yes or no: the relay tells it once. */
  | { kind: 'signed'; signed: SignedMessage }
  | Exclude<ProofOutcome, { kind: 'proven' }>;

export type FarcasterProof = {
  begin: (claim: { handle: string; payout: PayoutTarget; signal: AbortSignal }) => Promise<FarcasterBegun>;
  poll: (question: { channel: FarcasterChannel; signal: AbortSignal }) => Promise<FarcasterAnswer>;
  finish: (answer: { channel: FarcasterChannel; signed: SignedMessage; signal: AbortSignal }) => Promise<ProofOutcome>;
};

export type FarcasterBegun = { kind: 'begun'; channel: FarcasterChannel } | { kind: 'unavailable' };

/** Sign In With Farcaster: a signature by the account's own key, or by one that it lets sign in, names the payout. */
export function createFarcasterProof(settings: FarcasterSettings, options: FarcasterOptions): FarcasterProof {
  const { baseUrl, relayTools, operatorTools, random, now, allowsHttp = false } = options;
  const domain = new URL(baseUrl).host;
  const relay = createFarcasterRelay(settings.relayUrl, relayTools, allowsHttp);
  const findAccount = createFindFarcasterAccount(settings, operatorTools);
  return {
    begin: async ({ handle, payout, signal }) => {
      // The standard takes letters and digits only.
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

/** Whether the account itself signed. Null: the node did not let us find out. */
async function verify(question: Question, tools: LookupTools): Promise<boolean | null> {
  const { message, signature, nonce, domain, rpcUrl, signal } = question;
  // Loaded with the first signature: it brings the tables of all chains along, a third of a second of every start.
  const { createAppClient, viemConnector } = await import('@farcaster/auth-client');
  const trouble: NodeTrouble = { hasHappened: false };
  const { publicClient } = viemConnector({ rpcUrl });
  const ethereum = createConnector({ rpcUrl, signal, trouble, publicClient }, tools);
  const verified = await createAppClient({ ethereum }).verifySignInMessage({ nonce, domain, message, signature });
  if (!verified.isError) return verified.success && String(verified.fid) === question.fid;
  return trouble.hasHappened ? null : false;
}
