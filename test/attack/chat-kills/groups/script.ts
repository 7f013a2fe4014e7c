import { formatUsdc } from '../../../../core/money.ts';
import type { GroupPlan } from './plan.ts';
import { MEMBERS, REGULARS, type Member, type Screen } from './screen.ts';

const LOOK_EVERY_MS = 250;
/** Who sees no change presses again. */
const AGAIN_MS = 15_000;
const TOLD_EVERY_MS = 60_000;

const PAID_DROP = /^Sent \D*0\.2/;
const CARD = / drops .* each for 2 people|^Closed: |^Sent \D*0\.2/;
const BILL = / asks for .* in all:/;
const JOINED = /^Done\. Others here can see now/;
const NOTICE = / sent you \D*0\.15/;
const BLOCKED = /^Done\. Nothing of theirs reaches you/;
const REFUSED = / doesn’t accept tips\./;

export type Story = {
  screen: Screen;
  plan: GroupPlan;
  /** Lets the minutes pass in which shares can be asked for. */
  pass: () => Promise<void>;
  signal: AbortSignal;
  log?: ((text: string) => void) | undefined;
};

/** What they do, in the order in which people do it; ends when all of it is seen on their screens. */
export async function play(story: Story): Promise<void> {
  await Promise.all([playDrop(story), playBill(story), playTop(story), playBlock(story)]);
}

async function playTop(story: Story): Promise<void> {
  const { screen, signal } = story;
  const isListed = (member: Member) => screen.sees(member).some((text) => JOINED.test(text));
  const join = (member: Member) =>
    act(
      () => screen.top(member, 'on'),
      () => isListed(member),
      signal,
    );
  await step(story, 'those who are listed', () => Promise.all(REGULARS.map(join)));
  await step(story, 'the list of them', () => screen.top('second', ''));
}

/** What the last gives goes back once the second has blocked them, and nothing more of theirs is taken. */
async function playBlock(story: Story): Promise<void> {
  const { screen, plan, signal } = story;
  const sum = formatUsdc(plan.tip);
  const isTold = () => screen.sees('second').some((text) => NOTICE.test(text));
  const isBlocked = () => screen.sees('second').some((text) => BLOCKED.test(text));
  // Who has talked to the bot is told alone, with the button.
  await step(story, 'its answer to the second', () =>
    until(() => screen.sees('second').some((text) => JOINED.test(text)), signal),
  );
  await step(story, 'the tip', () => screen.tip(sum));
  await step(story, 'its notice', () => until(isTold, signal));
  await step(story, 'the block', () => act(() => screen.press('second', /^Stop hearing/, NOTICE), isBlocked, signal));
  await step(story, 'another tip', () => screen.tip(sum));
  await step(story, 'its refusal', () => until(() => screen.sees('loud').some((text) => REFUSED.test(text)), signal));
}

async function playDrop(story: Story): Promise<void> {
  const { screen, plan, signal } = story;
  const takers = ['first', 'second'] as const;
  const isIn = (member: Member) => screen.sees(member).some((text) => text.startsWith('You’re in'));
  const isClosed = () => screen.sees('giver').some((text) => text.startsWith('Closed: ') || PAID_DROP.test(text));
  const isListed = () => screen.sees('giver').some((text) => / on your list, /.test(text));
  const isPaid = () => screen.sees('second').some((text) => PAID_DROP.test(text));
  const take = (member: Member) =>
    act(
      () => screen.press(member, /^I’m in/),
      () => isIn(member),
      signal,
    );
  await step(story, 'the drop', () => screen.drop(formatUsdc(plan.drop)));
  await step(story, 'its card', () => until(() => screen.sees('first').some((text) => CARD.test(text)), signal));
  await step(story, 'both shares', () => Promise.all(takers.map(take)));
  // Again where a death came between.
  await step(story, 'its end', () => act(story.pass, isClosed, signal));
  await step(story, 'the list', () => act(() => screen.press('giver', /^See the list/), isListed, signal));
  await step(story, 'its payment', () => act(() => screen.press('giver', /^Pay [\d.]/), isPaid, signal));
}

async function playBill(story: Story): Promise<void> {
  const { screen, plan, signal } = story;
  // More than one after a death between sending it and writing down its id: Telegram has no key for a message.
  const cards = () => screen.sees('first').filter((text) => BILL.test(text));
  const isAnswered = () => cards().some((text) => !text.includes('· open'));
  const pay = () => Promise.all((['giver', 'second'] as const).map((member) => screen.press(member, /^Pay my part/)));
  await step(story, 'the bill', () => screen.bill(formatUsdc(plan.bill)));
  await step(story, 'its card', () => until(() => cards().length > 0, signal));
  await step(story, 'both parts', () => act(pay, isAnswered, signal));
}

/** Tells each minute what does not come, and what all of them see. */
async function step({ plan, screen, log }: Story, what: string, work: () => Promise<unknown>): Promise<void> {
  const tell = () => {
    const seen = MEMBERS.map((member) => `  ${member} sees ${JSON.stringify(screen.sees(member))}`);
    log?.([`group ${plan.index} (${plan.transport}, ${plan.network}) waits for ${what}`, ...seen].join('\n'));
  };
  const timer = setInterval(tell, TOLD_EVERY_MS);
  await work().finally(() => clearInterval(timer));
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
