/** What rings for an operator: the rules of `deploy/`, held against what is printed, and run by the tool of Prometheus. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { GAUGES } from '../../api/metrics/gauges.ts';
import { ALERT_KINDS } from '../../core/processes/alerts.ts';
import { findCommand } from '../../scripts/system-packages.mjs';
import { at, listAt, parseYaml, textAt } from './yaml.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');
const RULES = join(DEPLOY, 'prometheus-rules.yaml');
/** `scripts/setup.mjs --promtool` brings it. */
const PROMTOOL = findCommand('promtool');
const text = readFileSync(RULES, 'utf8');
const [parsed = null] = parseYaml(text);
const all = listAt(parsed, 'groups').flatMap((group) => listAt(group, 'rules'));

describe('the rules for Prometheus', () => {
  const expressions = all.map((rule) => textAt(rule, 'expr'));

  test('name metrics that are printed, with labels that these have', () => {
    const names = expressions.flatMap((one) => one.match(/pennypost_\w+/g) ?? []);
    expect(names.length).toBeGreaterThan(15);
    expect(names.filter((name) => !GAUGES.some((row) => row.name === name))).toEqual([]);
    for (const expression of expressions) {
      for (const [, name = '', label = ''] of expression.matchAll(/(pennypost_\w+)\{(\w+)=/g))
        expect(GAUGES.find((row) => row.name === name)?.labelNames).toContain(label);
    }
  });

  test('ring for each alarm of the worker, once', () => {
    const kinds = expressions.flatMap((one) => /pennypost_alerts_ringing\{alert="(\w+)"\}/.exec(one)?.[1] ?? []);
    expect(kinds).toEqual([...ALERT_KINDS]);
  });

  test('an alarm counts once it was told, until it is over', () => {
    const alert = { text: '', sinceMs: 1, goneSinceMs: null, doubtAtMs: null };
    const alerts = [
      { ...alert, name: 'held:payer_limit:base', toldAtMs: 2 },
      { ...alert, name: 'gas:base', toldAtMs: null },
    ];
    const facts = { nowMs: 3, networks: [], inFlight: null, finished: null, ledger: null, alerts };
    const samples = GAUGES.find(({ name }) => name === 'pennypost_alerts_ringing')?.samples(facts) ?? [];
    expect(samples).toHaveLength(ALERT_KINDS.length);
    expect(samples.filter(({ value }) => value > 0)).toEqual([{ labels: { alert: 'held' }, value: 1 }]);
  });

  test('say what to do, and each threshold says why', () => {
    for (const rule of all) {
      expect(textAt(rule, 'annotations', 'action').length).toBeGreaterThan(5);
      expect(['page', 'ticket']).toContain(at(rule, 'labels', 'severity'));
    }
    expect(text).not.toMatch(/(?<!#.*)\n {6}- alert: .*\n {8}expr: .*[><] [1-9]/);
  });
});

type Case = {
  alert: string;
  metric: string;
  labels: Record<string, string>;
  loud: string;
  calm: string;
  minutes: number;
  /** Whether each process that prints it rings alone. */
  isEach: boolean;
};

/** Of the processes: each rings alone, unless there is none. */
const OF_PROCESSES: readonly Omit<Case, 'isEach'>[] = [
  { alert: 'PennypostDatabaseDown', metric: 'pennypost_database_up', labels: {}, loud: '0', calm: '1', minutes: 2 },
  { alert: 'PennypostNothingTells', metric: 'pennypost_database_up', labels: {}, loud: '_', calm: '1', minutes: 5 },
  {
    alert: 'PennypostWorkerSilent',
    metric: 'pennypost_worker_heartbeat_age_seconds',
    labels: {},
    loud: '61',
    calm: '60',
    minutes: 2,
  },
  {
    alert: 'PennypostPaymentsWait',
    metric: 'pennypost_payment_oldest_open_age_seconds',
    labels: { network: 'base' },
    loud: '601',
    calm: '600',
    minutes: 5,
  },
  {
    alert: 'PennypostPayoutsWait',
    metric: 'pennypost_payout_oldest_open_age_seconds',
    labels: { network: 'solana' },
    loud: '1801',
    calm: '1800',
    minutes: 10,
  },
];

const CASES: readonly Case[] = [
  ...OF_PROCESSES.map((one) => ({ ...one, isEach: one.loud !== '_' })),
  ...all.flatMap((rule) => {
    const [, kind = ''] = /alert="(\w+)"/.exec(textAt(rule, 'expr')) ?? [];
    const metric = 'pennypost_alerts_ringing';
    const one = { metric, labels: { alert: kind }, loud: '1', calm: '0', minutes: 0, isEach: false };
    return kind === '' ? [] : [{ alert: textAt(rule, 'alert'), ...one }];
  }),
];

const isOfAbsence = ({ alert }: Case): boolean => alert === 'PennypostNothingTells';
/** What is loud for one may be calm for another only where they ask for the same metric: whether it is there at all. */
const TOGETHER = [CASES.filter((one) => !isOfAbsence(one)), CASES.filter(isOfAbsence)];

describe.skipIf(PROMTOOL === null)('by the tool of Prometheus', () => {
  test('rules and questions of the dashboard are understood, and a broken rule is not', () => {
    const { panels } = JSON.parse(readFileSync(join(DEPLOY, 'grafana-dashboard.json'), 'utf8')) as {
      panels: { targets?: { expr: string }[] }[];
    };
    const asked = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(asked.length).toBeGreaterThan(10);
    const records = asked.map((expr, index) => ({ record: `asked:${index}`, expr }));
    const dashboard = written({ groups: [{ name: 'dashboard', rules: records }] });
    expect(promtool('check', 'rules', RULES, dashboard)).toMatchObject({ status: 0 });

    const [first = ''] = /expr: .*/.exec(text) ?? [];
    for (const broken of [text.replace(first, 'expr: max('), text.replace('    for: 2m', '    fro: 2m')]) {
      expect(broken).not.toBe(text);
      expect(promtool('check', 'rules', written(broken)).status).toBe(1);
    }
  });

  test('each alert rings in its time at what is loud, and never at what is calm', () => {
    const rehearse = (change: (one: Case) => Case) =>
      promtool('test', 'rules', ...TOGETHER.map((cases) => written(rehearsalOf(cases.map(change)))));
    const rung = rehearse((one) => one);
    expect(rung).toMatchObject({ status: 0 });
    expect(rung.told.match(/SUCCESS/g)).toHaveLength(TOGETHER.length);
    // Each of the same must fail where the sum is another one: so it is asked at all.
    const { status, told } = rehearse((one) => ({ ...one, loud: one.calm }));
    expect([status, told.match(/SUCCESS/g)]).toEqual([1, null]);
    const failed = new Set([...told.matchAll(/alertname: (\w+), time: /g)].map(([, name]) => name));
    expect(failed).toEqual(new Set(CASES.map(({ alert }) => alert)));
  });

  test('no rule is left out of that', () => {
    expect(CASES.map(({ alert }) => alert)).toEqual(all.map((rule) => textAt(rule, 'alert')));
  });
});

/** Metrics that two processes print, from minute to minute; `_` is none. One start of the tool rehearses them all. */
function rehearsalOf(cases: readonly Case[]) {
  const series = (of: 'loud' | 'calm') => cases.flatMap((one) => seriesOf(one, one[of]));
  const input = { interval: '1m' };
  return {
    rule_files: [RULES],
    evaluation_interval: '1m',
    tests: [
      { ...input, input_series: series('loud'), alert_rule_test: cases.flatMap(askedLoud) },
      { ...input, input_series: series('calm'), alert_rule_test: cases.flatMap(askedCalm) },
    ],
  };
}

function seriesOf({ metric, labels }: Case, value: string) {
  const own = Object.entries(labels).map(([name, label]) => `${name}="${label}"`);
  return ['a', 'b'].map((instance) => ({
    series: `${metric}{${[...own, `instance="${instance}"`].join(',')}}`,
    values: `${value}x30`,
  }));
}

const askAt = ({ alert }: Case, minute: number, exp_alerts: unknown[]) => ({
  eval_time: `${minute}m`,
  alertname: alert,
  exp_alerts,
});

function askedLoud(one: Case) {
  const { alert, labels, minutes, isEach } = one;
  const rule = all.find((row) => at(row, 'alert') === alert) ?? null;
  const ring = (more: Record<string, string>) => ({
    exp_labels: { ...labels, ...more, severity: textAt(rule, 'labels', 'severity') },
    exp_annotations: {
      summary: textAt(rule, 'annotations', 'summary').replace('{{ $labels.network }}', labels['network'] ?? ''),
      action: textAt(rule, 'annotations', 'action'),
    },
  });
  const rings = isEach ? [ring({ instance: 'a' }), ring({ instance: 'b' })] : [ring({})];
  const early = minutes === 0 ? [] : [askAt(one, minutes - 1, [])];
  return [...early, askAt(one, minutes, rings), askAt(one, 20, rings)];
}

function askedCalm(one: Case) {
  return [askAt(one, one.minutes, []), askAt(one, 20, [])];
}

/** JSON is YAML. */
function written(content: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'pennypost-rules-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'rules.yaml');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

function promtool(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(PROMTOOL ?? '', args, { encoding: 'utf8' });
  return { status, told: stdout + stderr };
}
