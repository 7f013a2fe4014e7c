import { Role } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import { x402Client } from '@x402/core/client';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { privateKeyToAccount } from 'viem/accounts';

const signer = privateKeyToAccount(process.env.PENNYPOST_BASE_KEY);
const wallet = registerExactEvmScheme(new x402Client(), { signer });
const client = await new ClientFactory().createFromUrl(process.env.PENNYPOST_URL);

const send = (taskId, data, metadata) =>
  client.sendMessage({
    tenant: '',
    message: {
      messageId: crypto.randomUUID(),
      contextId: '',
      taskId,
      role: Role.ROLE_USER,
      parts: [{ content: { $case: 'data', value: data }, filename: '', mediaType: '' }],
      metadata,
      extensions: [],
      referenceTaskIds: [],
    },
  });

const order = { skill: 'pennypost.pay.web', params: { receiver: 'example.com', amount: 0.5 } };
const task = await send('', order);
const payment = await wallet.createPaymentPayload(task.status.message.metadata['x402.payment.required']);
const done = await send(task.id, order, {
  'x402.payment.status': 'payment-submitted',
  'x402.payment.payload': payment,
});
console.log(done.artifacts[0].parts[0].content.value);
