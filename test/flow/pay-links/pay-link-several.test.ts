/** What stands behind a link for people of several platforms: one transfer pays all of them. */
import { expect, test } from 'vitest';
import { microUsdc } from '../../../core/money.ts';
import { linesOf } from '../../../db/payments/records/find.ts';
import { transferOnBase } from '../../support/tasks/tasks.ts';
import { useTaskWorld } from '../../support/tasks/task-world.ts';

const world = useTaskWorld();

test('a task for people of several platforms is paid by one transfer, a line each', async () => {
  await world.start();
  const payer = await world.chain.createAccount({ usdc: microUsdc(5_000_000n) });
  const receivers = [
    { platform: 'x', receiver: 'alice', amount: '1' },
    { platform: 'email', receiver: 'bob@example.com', amount: '2' },
  ];
  const { task, offer } = await world.openOnBase({
    skill: 'pennypost.batch-pay',
    operation: 'a2a.cross-batch-pay',
    params: { receivers },
    amount: 3,
  });
  await transferOnBase(world.chain, payer, offer.address, offer.amountMicroUsdc);
  const { id, answer } = await world.untilPaid(task.id);
  const lines = (await linesOf(world.service.store, id)).map(({ line }) => line);
  const extra = offer.amountMicroUsdc - 3_000_000n;
  expect(lines.map(({ platform, recipientKey, amountMicroUsdc }) => [platform, recipientKey, amountMicroUsdc])).toEqual(
    [
      ['x', 'alice', 1_000_000n + extra],
      ['email', 'bob@example.com', 2_000_000n],
    ],
  );
  expect(answer).toMatchObject({ data: [{ amount: expect.anything() }, { amount: expect.anything() }] });
});
