import type { CoverageRow } from './row.ts';

/** Sections 6 and 7: tools and skills. */
export const AGENT_ROWS: readonly CoverageRow[] = [
  {
    says: 'MCP serves protocol 2026-07-28, 2025-11-25 and earlier on one route, and plain callers',
    tests: [
      ['flow/mcp.test.ts', 'speaks the version that it came for, and is shown the tools'],
      ['flow/mcp.test.ts', 'a plain caller, without initialize'],
      ['api/mcp/messages.test.ts', 'an older client may begin with initialize, and is told how paying works'],
    ],
  },
  {
    says: 'the tools are those of the catalog, for the platforms that are offered',
    tests: [
      ['api/mcp/tools.test.ts', 'every tool of the contract is listed, and no other'],
      ['api/mcp/tools.test.ts', 'a platform that is not offered has no tool'],
      ['flow/rewards/rewards.test.ts', 'by an agent, with the tools, and what REST has paid is paid there too'],
    ],
  },
  {
    says: 'batch_pay pays across platforms, each line with a description of its own',
    tests: [['flow/mcp.test.ts', 'pays many at once, each line with its own note']],
  },
  {
    says: 'a payment that is needed is error -32402 with taskId, both generations of requirements and accepts',
    tests: [['api/mcp/prices.test.ts', 'a call without a payment is answered with the price in both generations’ places']],
  },
  {
    says: 'the payment of a tool may stand in _meta under three names, as object or base64, or in the headers',
    tests: [['flow/mcp.test.ts', 'pays with %s']],
  },
  {
    says: 'a client may ask for the official x402 form',
    tests: [
      ['api/mcp/prices.test.ts', 'the form of the x402 specification'],
      ['flow/mcp.test.ts', 'pays in the form of the x402 specification'],
    ],
  },
  {
    says: 'bad arguments, unknown tools and a taskId with other arguments are -32602, broken JSON is -32700',
    tests: [
      ['api/mcp/messages.test.ts', '%s with %j is refused as %s'],
      ['api/mcp/messages.test.ts', '%s is refused'],
      ['api/mcp/prices.test.ts', 'a taskId'],
    ],
  },
  {
    says: 'the agent card lists every skill with its schema, the x402 extension and both networks',
    tests: [
      ['api/a2a/http/card.test.ts', 'lists a single and a batch skill for each platform, photo among them'],
      ['api/a2a/http/card.test.ts', 'names the extension in both versions, and both networks'],
    ],
  },
  {
    says: 'the first skill-named call answers what to transfer, on each network, until when',
    tests: [['api/a2a/skill-tasks.test.ts', 'answers an amount of its own on each network, and when its time is over']],
  },
  {
    says: 'a task’s amount is unique, above the price by a tenth at most, never round and never another’s price',
    tests: [
      ['db/tasks/open.test.ts', 'is above the price by a tenth at most, is not round, and is nobody else’s'],
      ['db/tasks/open.test.ts', 'is never the plain price of another task'],
    ],
  },
  {
    says: 'an amount stays reserved for seven days after its task is over',
    tests: [['db/tasks/expire.test.ts', 'is forgotten after a week more, and its amount is free']],
  },
  {
    says: 'at most 20 unpaid amounts per IP',
    tests: [['api/a2a/skill-tasks.test.ts', 'strangers may leave twenty tasks unpaid, and are told to sign instead']],
  },
  {
    says: 'the extra belongs to the first receiver',
    tests: [['db/tasks/pay.test.ts', 'of its own amount pays a task: what was sent beyond the price is the receiver’s']],
  },
  {
    says: 'on Solana a memo of the task binds the exact price',
    tests: [['flow/a2a.test.ts', 'the memo of a task makes its plain price pay on Solana']],
  },
  {
    says: 'accepted is one safe transfer above the task’s head, never used before',
    tests: [
      ['api/a2a/skill-tasks.test.ts', '%s is refused by name'],
      ['db/tasks/pay.test.ts', 'pays once, no matter who looks at the same time'],
      ['flow/a2a.test.ts', 'agents at once get each their own, and as many thieves nothing'],
    ],
  },
  {
    says: 'the second skill-named call confirms, and the same call again has the same result',
    tests: [['flow/a2a.test.ts', 'is paid by a transfer of its own amount, and answers the same for ever']],
  },
  {
    says: 'what is not on the chain yet is asked for again',
    tests: [['api/a2a/skill-tasks.test.ts', 'that is not on the chain yet is asked for again']],
  },
  {
    says: 'a transfer that fits no task is in suspense',
    tests: [
      ['flow/tasks/tasks.test.ts', 'is one of several at once: two of one price, and what fits none waits for the operator'],
    ],
  },
  {
    says: 'a payer known by a transfer only is paid back at the refund address, else an operator decides',
    tests: [['db/tasks/pay.test.ts', 'goes to the address of its network that came with the task, out of the treasury']],
  },
  {
    says: 'the standard methods of 1.0 and 0.3 carry x402 in their metadata; the proof is a signed authorization',
    tests: [
      ['flow/a2a.test.ts', 'of protocol 1.0 calls a skill, signs its price and gets the receipt'],
      ['flow/a2a.test.ts', 'an agent of protocol 0.3 does the same with x402 of the first generation'],
    ],
  },
  {
    says: 'a skill-named call without the extension header is -32600, naming it; what is activated is echoed',
    tests: [['api/a2a/calls.test.ts', 'the extension header']],
  },
];
