import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ScreeningOutcome, ScreeningQuestion } from '../../../core/screening/screening.ts';
import { newAddress, startWorld, type World } from './world.ts';

/** What an operator's lists or service answer before a claim is confirmed. */
let world: World;
let outcome: ScreeningOutcome = 'go';
const asked: ScreeningQuestion[] = [];
beforeAll(async () => {
  world = await startWorld({ screen: async (question) => (asked.push(question), outcome) });
});
afterEach(() => world.assertSound());
afterAll(() => world.close());

test('a claim is asked about after its proof; refused it moves nothing, and says nothing of it', async () => {
  const [host, address] = ['alice.example.com', newAddress()];
  await world.payTo('web', host);
  const visitor = world.newVisitor();
  const claim = await visitor.opened('web', host, { base: address });
  await world.publish(host, claim.domain?.line ?? '', 'record');
  const { confirm_token: token } = (await visitor.prove(claim.claim_id)).body.data;
  expect(asked).toEqual([]);
  outcome = 'refuse';
  const refused = await visitor.confirm(claim.claim_id, token);
  expect([refused.status, refused.body.error]).toEqual([400, 'declined']);
  expect(asked).toMatchObject([
    { stage: 'claim', subject: claim.claim_id, accounts: [{ network: 'base', address }], names: [`web:${host}`] },
  ]);
  outcome = 'wait';
  const unanswered = await visitor.confirm(claim.claim_id, token);
  expect([unanswered.status, unanswered.body.error]).toEqual([500, 'upstream_unavailable']);
  expect(await world.payouts()).toEqual([]);
  // The token is still good: nothing was used up.
  outcome = 'go';
  expect((await visitor.confirm(claim.claim_id, token)).status).toBe(200);
  expect((await world.payouts()).map(({ toAddress }) => toAddress)).toEqual([address]);
});
