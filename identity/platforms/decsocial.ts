import { z } from 'zod';
import { NETWORKS } from '../../core/networks.ts';
import { toEndpointRequest } from '../endpoint.ts';
import { createLookup, type Answer, type LookupTools } from '../lookup.ts';
import type { Resolution, Resolver } from '../port.ts';
import type { PlatformIdentity, PublishedAddress } from './platform-identity.ts';
import { holdsOn, type VerifiedAddress } from './verified-addresses.ts';

/** The time of a name's proof at the hub: since when this account has the name. */
const proofSchema = z.object({
  fid: z.int().positive(),
  name: z.string(),
  timestamp: z.int().positive().optional().catch(undefined),
});

/** 5 is gRPC's NOT_FOUND, which hubs pass on over HTTP; Snapchain passes on its text. */
const absentSchema = z.union([
  z.object({ code: z.literal(5) }),
  z.object({ error_detail: z.string().regex(/not ?found/i) }),
]);

/**
 * A Farcaster hub knows who holds an fname (`alice`) and who has proven an ENS name (`alice.eth`); the stable id is the
 * fid. Hubs answer 400 for a name that nobody has.
 */
export function createDecsocialResolver(settings: { hubUrl: string }, tools: LookupTools): Resolver {
  return createLookup(
    {
      toRequest: (name) => toEndpointRequest(settings.hubUrl, '/v1/userNameProofByName', { name }),
      read: (answer, name) => (answer.status === 200 ? readProof(answer.json, name) : readRefusal(answer)),
    },
    tools,
  );
}

function readProof(json: unknown, name: string): Resolution | null {
  const proof = proofSchema.safeParse(json);
  if (!proof.success || proof.data.name.toLowerCase() !== name) return null;
  const { fid, timestamp } = proof.data;
  return { kind: 'found', stableId: String(fid), ...(timestamp === undefined ? {} : { sinceMs: timestamp * 1_000 }) };
}

function readRefusal(answer: Answer): Resolution | null {
  return saysAbsent(answer) ? { kind: 'not-found' } : null;
}

/** Whether the hub answers that the name does not exist. */
export function saysAbsent({ status, json }: Answer): boolean {
  return status === 400 && absentSchema.safeParse(json).success;
}

export const decsocial: PlatformIdentity = {
  needs: ['FARCASTER_HUB_URL'],
  resolving: ({ farcasterHubUrl: hubUrl }) =>
    hubUrl === undefined ? null : (tools) => createDecsocialResolver({ hubUrl }, tools),
  findPublished: async ({ findVerified }, { stableId }, signal) => {
    const verified = findVerified === null ? [] : await findVerified(stableId, signal);
    return verified === null
      ? { kind: 'unavailable' }
      : { kind: 'published', addresses: verified.flatMap(toPublished) };
  },
};

function toPublished(verified: VerifiedAddress): PublishedAddress[] {
  const { address, isContract: isProvenHere } = verified;
  const networks = NETWORKS.filter((network) => holdsOn(network, verified));
  return networks.map((network) => ({ network, address, isProvenHere }));
}
