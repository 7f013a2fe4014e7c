import { randomBytes } from 'node:crypto';
import type { AdminRight } from '../../../core/admins/admins.ts';
import type { Config } from '../../../core/config/config.ts';
import { createIds } from '../../../core/ids.ts';
import type { Store } from '../../../db/store/store.ts';
import { adminCommand } from '../../operator/admin.ts';
import type { Answer, CommandContext, OperatorCommand } from '../../operator/command.ts';
import { repeatEventCommand } from '../../operator/events.ts';
import { barPageCommand, closeReportCommand, releaseCommand } from '../../operator/held.ts';
import { resumeCommand, stopCommand } from '../../operator/stops.ts';
import { returnCommand } from '../../operator/suspense.ts';

/** A field of the form; empty where it is not there. */
export type Field = (name: string) => string;

type Given = { words: readonly string[]; reason?: string; isConfirmed?: boolean };

/** A form of the console. It does what the command does, so both have the same rules and the same note in the audit. */
export type Action = {
  title: string;
  right: AdminRight;
  command: OperatorCommand;
  /** The page that it stands on. */
  page: string;
  read: (field: Field) => Given;
};

const isTicked = (text: string): boolean => text === 'yes';

export const ACTIONS = {
  release: {
    title: 'Release a payout',
    right: 'act',
    command: releaseCommand,
    page: '/held',
    read: (field) => ({ words: [field('payout')] }),
  },
  'give-back': {
    title: 'Give a payout back',
    right: 'act',
    command: returnCommand,
    page: '/held',
    read: (field) => ({ words: [field('payout')], isConfirmed: isTicked(field('confirmed')) }),
  },
  return: {
    title: 'Return a transfer',
    right: 'act',
    command: returnCommand,
    page: '/suspense',
    read: (field) => ({ words: [field('fact')], isConfirmed: isTicked(field('confirmed')) }),
  },
  stop: {
    title: 'Stop',
    right: 'act',
    command: stopCommand,
    page: '/stops',
    read: (field) => ({ words: [field('network'), field('kind')], reason: field('reason') }),
  },
  resume: {
    title: 'Resume',
    right: 'act',
    command: resumeCommand,
    page: '/stops',
    read: (field) => ({
      words: [field('stop'), field('network')],
      reason: field('reason'),
      isConfirmed: isTicked(field('confirmed')),
    }),
  },
  'close-report': {
    title: 'Close a report',
    right: 'act',
    command: closeReportCommand,
    page: '/reports',
    read: (field) => ({ words: [field('report')], reason: field('reason') }),
  },
  'bar-page': {
    title: 'Take a tip page away',
    right: 'act',
    command: barPageCommand,
    page: '/reports',
    read: (field) => ({ words: [field('person')], reason: field('reason') }),
  },
  'repeat-event': {
    title: 'Tell an event once more',
    right: 'act',
    command: repeatEventCommand,
    page: '/search',
    read: (field) => ({ words: [field('event')] }),
  },
  invite: {
    title: 'Invite an admin',
    right: 'admit',
    command: adminCommand,
    page: '/admins',
    read: (field) => ({ words: ['invite', field('name'), field('role')] }),
  },
  role: {
    title: 'Change a role',
    right: 'admit',
    command: adminCommand,
    page: '/admins',
    read: (field) => ({ words: ['role', field('name'), field('role')] }),
  },
  remove: {
    title: 'Remove an admin',
    right: 'admit',
    command: adminCommand,
    page: '/admins',
    read: (field) => ({ words: ['remove', field('name')] }),
  },
} as const satisfies Record<string, Action>;

export type ActionName = keyof typeof ACTIONS;

/** Object.keys drops the type of the keys. */
export const ACTION_NAMES = Object.keys(ACTIONS) as ActionName[];

type By = { config: Config; store: Store; who: string; nowMs: number };

/** As the command line hands it over. */
export function contextOf(
  { config, store, who, nowMs }: By,
  { words, reason = '', isConfirmed = false }: Given,
): CommandContext {
  return {
    config,
    store,
    nowMs,
    newPayoutId: createIds(randomBytes).payoutId,
    words,
    options: { yes: isConfirmed, reason: reason.trim() === '' ? null : reason.trim(), json: false },
    who,
    say: () => undefined,
  };
}

/** Throws what the command throws: UsageError, Refused, or a plain Error. */
export async function act(name: ActionName, field: Field, by: By): Promise<Answer> {
  const { command, read }: Action = ACTIONS[name];
  return command.run(contextOf(by, read(field)));
}
