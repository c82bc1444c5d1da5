// Which receipt rules take a recipient.
import type { LocalReceiptRule } from '../model.ts';

/** Whether `rule` takes mail for `recipient`: a rule names domains, `.domain` for what lies under one, or addresses. */
export function matchesRule(rule: LocalReceiptRule, recipient: string): boolean {
  if (rule.recipients.length === 0) return true;
  const address = recipient.toLowerCase();
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return rule.recipients.some((named) => {
    const wanted = named.toLowerCase();
    if (wanted.includes('@')) return wanted === address;
    return wanted.startsWith('.') ? domain.endsWith(wanted) : wanted === domain;
  });
}
