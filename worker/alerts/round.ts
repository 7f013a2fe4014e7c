import type { Logger } from 'pino';
import { nextAlert, type AlertState } from '../../core/processes/alerts.ts';
import type { Network } from '../../core/networks.ts';
import { strong, type View } from '../../core/view.ts';
import { readInFlight } from '../../db/audit/metrics.ts';
import { readSolvency } from '../../db/audit/solvency.ts';
import { readStandings } from '../../db/networks/standing.ts';
import { forgetAlert, readAlerts, writeAlert } from '../../db/operator/alerts.ts';
import { heldSums } from '../../db/operator/held.ts';
import { listStops } from '../../db/operator/stops.ts';
import { openReports } from '../../db/reports/reports.ts';
import { unansweredSince } from '../../db/screening/decisions.ts';
import { unexplainedTransfers } from '../../db/operator/suspense.ts';
import { type Holder, readHoldings } from '../../db/processes/holdings.ts';
import { jobHolding } from '../../db/processes/owner.ts';
import { refusedBots } from '../../db/processes/refused-bots.ts';
import { readFormerStandings } from '../../db/rotations/standing.ts';
import type { Store } from '../../db/store/store.ts';
import type { EmailProof } from '../../identity/proofs/email.ts';
import { startJob, type Job } from '../../queue/job.ts';
import type { QueueLog } from '../../queue/outage.ts';
import type { ChatSender } from '../chat/sender.ts';
import { CONDITIONS, type AlertFacts } from './conditions.ts';

const UNEXPLAINED_MAX = 100;
const REPORTS_MAX = 1_000;
const EVERY_MS = 30_000;
/** While money waits it is asked about again far more often. */
const UNSCREENED_MS = 60_000;

export type AlertsWorker = {
  store: Store;
  now: () => number;
  log: Pick<Logger, 'warn' | 'info'>;
  networks: readonly Network[];
  /** Where the operator wants to be told; both may be left out, and then only the log tells them. */
  chat: { userId: string; sender: ChatSender } | null;
  mailTo: string | null;
  mail: Pick<EmailProof, 'isReachable' | 'sendAlert'> | null;
};

/** One of the workers looks, every half minute. */
export function startAlerts(worker: AlertsWorker & { log: QueueLog }, holder: Pick<Holder, 'want'>): Job {
  const name = 'alerts';
  const step = async () => void (await alertsRound(worker));
  return startJob({ name, everyMs: EVERY_MS, log: worker.log, hold: holder.want(jobHolding(name)), step });
}

/**
 * Checks all conditions, and reports once what begins and what ends. An alert's row moves on only when a way to the
 * operator has accepted the message, so what could not be reported is reported later. A message that may have
 * arrived is repeated once after a pause. Answers what was reported.
 */
export async function alertsRound(worker: AlertsWorker): Promise<string[]> {
  const facts = await readFacts(worker);
  const ringing = new Map(
    Object.values(CONDITIONS).flatMap((find) => find(facts).map((one) => [one.name, one] as const)),
  );
  const before = new Map((await readAlerts(worker.store)).map((state) => [state.name, state]));
  const told: string[] = [];
  for (const name of new Set([...before.keys(), ...ringing.keys()])) {
    const known = before.get(name) ?? null;
    const { state, tell } = nextAlert(known, ringing.get(name) ?? null, facts.nowMs);
    const shown = state ?? known;
    if (tell !== null && shown !== null) {
      const arrived = await tellOperator(worker, shown, tell);
      if (arrived === 'no') continue;
      if (arrived === 'unknown' && known !== null && known.doubtAtMs === null) {
        await writeAlert(worker.store, { ...known, doubtAtMs: facts.nowMs }, facts.nowMs);
        continue;
      }
      told.push(`${tell} ${name}`);
    }
    if (state === null) await forgetAlert(worker.store, name);
    else if (isChanged(known, state)) await writeAlert(worker.store, state, facts.nowMs);
  }
  return told;
}

const isChanged = (before: AlertState | null, after: AlertState): boolean =>
  JSON.stringify(before) !== JSON.stringify(after);

async function readFacts({ store, now, networks, mail }: AlertsWorker): Promise<AlertFacts> {
  const nowMs = now();
  const [standings, solvency, stops, held, unexplained, inFlight, listeners, unscreened, reports, refused, formers] =
    await Promise.all([
      readStandings(store, networks, nowMs),
      readSolvency(store, networks),
      listStops(store),
      heldSums(store),
      unexplainedTransfers(store, UNEXPLAINED_MAX),
      readInFlight(store),
      readHoldings(store, 'listener:'),
      unansweredSince(store, nowMs - UNSCREENED_MS),
      openReports(store, REPORTS_MAX),
      refusedBots(store),
      readFormerStandings(store, nowMs),
    ]);
  const isMailReachable = mail === null ? null : await mail.isReachable();
  const { oldestDueAtMs } = inFlight.outbox;
  const reportedAtMs = reports.map(({ createdAtMs }) => createdAtMs);
  const found = { reportedAtMs, unscreened, refusedBots: refused, formers };
  const counted = { ...found, unexplained: unexplained.length, solvencies: solvency.networks };
  return { nowMs, standings, stops, held, listeners, isMailReachable, oldestDueAtMs, ...counted };
}

type Arrived = 'yes' | 'unknown' | 'no';

/** The result of the best way; without any way the log is the way. */
async function tellOperator(worker: AlertsWorker, alert: AlertState, tell: 'begins' | 'ends'): Promise<Arrived> {
  const { log, chat, mailTo, mail } = worker;
  const words = { alert: alert.name, since: new Date(alert.sinceMs).toISOString() };
  if (tell === 'begins') log.warn(words, alert.text);
  else log.info(words, `over: ${alert.text}`);
  if (chat === null && (mailTo === null || mail === null)) return 'yes';
  const subject = tell === 'begins' ? `Alert: ${alert.name}` : `Over: ${alert.name}`;
  const ways = await Promise.allSettled([
    tellInChat(chat, alert, tell),
    sendMail(worker, { subject, text: alert.text }),
  ]);
  const arrived = ways.map((way): Arrived => (way.status === 'fulfilled' ? way.value : 'no'));
  return (['yes', 'unknown'] as const).find((one) => arrived.includes(one)) ?? 'no';
}

async function tellInChat(chat: AlertsWorker['chat'], alert: AlertState, tell: 'begins' | 'ends'): Promise<Arrived> {
  if (chat?.sender.tell === undefined) return 'no';
  const head = tell === 'begins' ? 'Alert' : 'Over';
  const view: View = {
    state: tell === 'begins' ? 'error' : 'ok',
    audience: 'person',
    paragraphs: [[strong(`${head}: `), { text: alert.text }]],
    actions: [],
  };
  const { userId, sender } = chat;
  const onceKey = `alert:${alert.name}:${alert.sinceMs}:${tell}`;
  return (await sender.tell?.({ userId, onceKey, view })) === 'unreachable' ? 'no' : 'yes';
}

async function sendMail({ mail, mailTo }: AlertsWorker, content: { subject: string; text: string }): Promise<Arrived> {
  if (mail === null || mailTo === null) return 'no';
  const signal = new AbortController().signal;
  const { kind } = await mail.sendAlert({ to: mailTo, ...content, signal });
  // Nobody can tell whether one with an unknown result arrived: a second one is better than none.
  if (kind === 'sent') return 'yes';
  return kind === 'unknown' ? 'unknown' : 'no';
}
