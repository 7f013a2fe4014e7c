import type { Config } from '../../core/config/config.ts';
import type { Operator } from '../../web/page.ts';

/** What each page says about who runs this, and with which money. */
export function shownOperator({ mode, operator }: Pick<Config, 'mode' | 'operator'>): Operator {
  const { name, supportUrl = '', termsUrl = '', privacyUrl = '' } = operator;
  return { name, supportUrl, termsUrl, privacyUrl, hasTestMoney: mode === 'testnet' };
}
