import { parseRecipient } from '../../../core/platforms/recipient.ts';
import { COMMUNITY_WALLETS, createCommunityPosts } from '../farcaster-community.ts';
import { startHubStandIn, type HubVerification } from '../farcaster-hub.ts';
import { createFarcasterPeople, type FarcasterPeople } from '../farcaster-people.ts';
import { startRelayStandIn } from '../farcaster-relay.ts';
import { startOptimismStandIn } from '../optimism-rpc.ts';
import { toExact, type StartStandIn } from './stand-in.ts';

/** A hub, the relay that carries signatures, and the chain that holds the owners of keys. */
export const startDecsocial: StartStandIn = async ({ idOf, random, now, keep }) => {
  const fidOf = (name: string) => toExact(idOf(parseRecipient('decsocial', name)));
  const people = createFarcasterPeople({ fidOf });
  const relay = await keep(startRelayStandIn({ people, random, now }));
  const posts = createCommunityPosts({ fidOf });
  // Not by the posts: every recipient of a tip is looked up, and all who engage with the posts take a moment to make.
  const findPublishing = (fid: number) => COMMUNITY_WALLETS.find((name) => fidOf(name) === fid);
  const hub = await keep(
    startHubStandIn({
      find: (name) => people.personOf(name),
      findNames: (fid) => namesOf(people.byFid(fid)),
      findVerifications: (fid) => verificationsOf(people, findPublishing(fid)),
      posts,
    }),
  );
  const optimism = await keep(startOptimismStandIn({ people }));
  return { identity: { farcasterHubUrl: hub.url, farcasterRelayUrl: relay.url, optimismRpcUrl: optimism.url } };
};

function namesOf(person: { name: string } | null): readonly string[] {
  return person === null ? [] : [person.name];
}

function verificationsOf(people: FarcasterPeople, name: string | undefined): readonly HubVerification[] {
  if (name === undefined) return [];
  return [{ address: people.personOf(name).address, protocol: 'PROTOCOL_ETHEREUM' }];
}
