import { formatUsdc } from '../../../../core/money.ts';
import type { GroupPlan } from './plan.ts';
import type { Member, Screen } from './screen.ts';

const LOOK_EVERY_MS = 250;
/** Who sees no change presses again. */
const AGAIN_MS = 15_000;

const PAID_DROP = /^Sent \D*0\.2/;
const CARD = / drops .* each for 2 people|^Closed: |^Sent \D*0\.2/;
const BILL = / asks for .* in all:/;

export type Story = {
  screen: Screen;
  plan: GroupPlan;
  /** Lets the minute pass in which shares can be asked for. */
  pass: () => Promise<void>;
  signal: AbortSignal;
};

/** What the three do, in the order in which people do it; ends when all of it is seen on their screens. */
export async function play(story: Story): Promise<void> {
  await Promise.all([playDrop(story), playBill(story)]);
}

async function playDrop({ screen, plan, pass, signal }: Story): Promise<void> {
  const takers = ['first', 'second'] as const;
  const isIn = (member: Member) => screen.sees(member).some((text) => text.startsWith('You’re in'));
  await screen.drop(formatUsdc(plan.drop));
  await until(() => screen.sees('first').some((text) => CARD.test(text)), signal);
  await Promise.all(
    takers.map((member) =>
      act(
        () => screen.press(member, /^I’m in/),
        () => isIn(member),
        signal,
      ),
    ),
  );
  await pass();
  await until(() => screen.sees('giver').some((text) => text.startsWith('Closed: ') || PAID_DROP.test(text)), signal);
  const isListed = () => screen.sees('giver').some((text) => / on your list, /.test(text));
  await act(() => screen.press('giver', /^See the list/), isListed, signal);
  const isPaid = () => screen.sees('second').some((text) => PAID_DROP.test(text));
  await act(() => screen.press('giver', /^Pay [\d.]/), isPaid, signal);
}

async function playBill({ screen, plan, signal }: Story): Promise<void> {
  const card = () => screen.sees('first').find((text) => BILL.test(text));
  await screen.bill(formatUsdc(plan.bill));
  await until(() => card() !== undefined, signal);
  const isAnswered = () => !/· open/.test(card() ?? '· open');
  const pay = () => Promise.all((['giver', 'second'] as const).map((member) => screen.press(member, /^Pay my part/)));
  await act(pay, isAnswered, signal);
}

async function act(action: () => Promise<unknown>, isDone: () => boolean, signal: AbortSignal): Promise<void> {
  while (!isDone() && !signal.aborted) {
    await action();
    const againMs = Date.now() + AGAIN_MS;
    await until(() => isDone() || Date.now() > againMs, signal);
  }
}

async function until(isDone: () => boolean, signal: AbortSignal): Promise<void> {
  while (!isDone() && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
}
