import { z } from 'zod';
import { microUsdc, parseNumberUsdc, type MicroUsdc } from '../../core/money.ts';
import type { ChatPlatform } from '../../core/platforms/platforms.ts';
import { postJson, type Answer, type HttpDeps } from '../../client/exchange.ts';
import { readReason } from '../../client/refusal.ts';

/** An account on a chat platform, which only the bot sees: `{ platform: 'discord', id: '17' }`. */
export type ChatAccount = { platform: ChatPlatform; id: string };

export type ClaimAnswer<Known> =
  | ({ kind: 'done' } & Known)
  /** The API refuses, with this word of its own. */
  | { kind: 'refused'; reason: string }
  /** No usable answer: the same question may be asked again. */
  | { kind: 'unreachable' };

/** Collecting for people whom the bot has seen: its token vouches for who they are. */
export type ChatClaims = {
  /** Proves who asks, and answers what waits; to be kept in the account's own wallet here. Nothing is released yet. */
  open: (account: ChatAccount) => Promise<ClaimAnswer<{ claimId: string; total: MicroUsdc }>>;
  /**
   * The person's confirmation. Repeated, it changes nothing. `noRoom`: part of it waits, because no more may be kept for this
   * person now.
   */
  keep: (claimId: string, account: ChatAccount) => Promise<ClaimAnswer<{ noRoom?: boolean }>>;
  /** Sends back what waits, and refuses all later payments. */
  optOut: (account: ChatAccount) => Promise<ClaimAnswer<object>>;
};

export type ChatClaimsDeps = HttpDeps & { baseUrl: string; apiToken?: string };

const opened = z.object({ data: z.object({ claim_id: z.string().regex(/^[A-Za-z0-9_-]{1,80}$/) }) });
const confirmedClaim = z.object({ data: z.object({ waiting_for_route: z.object({}).nullable() }) });
const proven = z.object({
  data: z.object({ status: z.string(), total: z.number().nullable(), confirm_token: z.string().nullable() }),
});

export function createChatClaims(deps: ChatClaimsDeps): ChatClaims {
  const headers: Record<string, string> =
    deps.apiToken === undefined ? {} : { authorization: `Bearer ${deps.apiToken}` };
  const post: Post = (path, body) => postJson(deps, `${deps.baseUrl}${path}`, headers, body);
  return {
    async open(account) {
      const claim = await openClaim(post, account, { keep: true });
      if (claim.kind !== 'done') return claim;
      const proof = await prove(post, claim.claimId, account);
      return proof.kind === 'done' ? { kind: 'done', claimId: claim.claimId, total: proof.total } : proof;
    },
    async keep(claimId, account) {
      const proof = await prove(post, claimId, account);
      // Without a token the claim was confirmed before.
      if (proof.kind !== 'done' || proof.token === null) return proof;
      const answer = await post(`/claims/${claimId}/confirm`, { confirm_token: proof.token });
      const confirmed = confirmedClaim.safeParse(answer?.json);
      const noRoom = confirmed.success && confirmed.data.data.waiting_for_route !== null;
      return answer?.status === 200 ? { kind: 'done', noRoom } : failed(answer);
    },
    async optOut(account) {
      const claim = await openClaim(post, account, { decline: true });
      if (claim.kind !== 'done') return claim;
      const proof = await prove(post, claim.claimId, account);
      if (proof.kind !== 'done' || proof.token === null) return proof;
      return finish(await post(`/claims/${claim.claimId}/decline`, { confirm_token: proof.token, opt_out: true }));
    },
  };
}

type Post = (path: string, body: unknown) => Promise<Answer | null>;

async function openClaim(
  post: Post,
  { platform, id }: ChatAccount,
  payout: { keep: true } | { decline: true },
): Promise<ClaimAnswer<{ claimId: string }>> {
  const answer = await post('/claims', { platform, handle: id, payout });
  const claim = opened.safeParse(answer?.json);
  if (answer?.status !== 201 || !claim.success) return failed(answer);
  return { kind: 'done', claimId: claim.data.data.claim_id };
}

async function prove(
  post: Post,
  claimId: string,
  { id }: ChatAccount,
): Promise<ClaimAnswer<{ total: MicroUsdc; token: string | null }>> {
  const answer = await post(`/claims/${claimId}/proof`, { user_id: id });
  const proof = proven.safeParse(answer?.json);
  if (answer?.status !== 200 || !proof.success) return failed(answer);
  const { total, confirm_token: token } = proof.data.data;
  return { kind: 'done', total: parseNumberUsdc(total ?? 0) ?? microUsdc(0n), token };
}

function finish(answer: Answer | null): ClaimAnswer<object> {
  return answer?.status === 200 ? { kind: 'done' } : failed(answer);
}

function failed(answer: Answer | null): ClaimAnswer<never> {
  if (answer === null || answer.status === 429 || answer.status >= 500) return { kind: 'unreachable' };
  return { kind: 'refused', reason: readReason(answer) };
}
