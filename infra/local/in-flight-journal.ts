// Remembers which queue messages functions are working on, so that a start after `kill -9` can hand them out again at
// once. Messages that a function itself put off by their visibility are not touched by that.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Rewritten when it holds this many lines, most of which speak of messages long done. */
const LINES_MAX = 10_000;

export class InFlightJournal {
  readonly #file: string;
  readonly #held = new Map<string, string>();
  #lineCount = 0;

  constructor(file: string) {
    this.#file = file;
    mkdirSync(dirname(file), { recursive: true });
    if (!existsSync(file)) return;
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const [sign, receipt = '', queue = ''] = line.split(' ');
      if (sign === '+') this.#held.set(receipt, queue);
      if (sign === '-') this.#held.delete(receipt);
    }
  }

  /** Receipt handles, with their queue's name, that were held when the stack last ended; forgets them. */
  takeLeftOver(): readonly { readonly receipt: string; readonly queue: string }[] {
    const left = [...this.#held].map(([receipt, queue]) => ({ receipt, queue }));
    this.#held.clear();
    this.#rewrite();
    return left;
  }

  hold(queue: string, receipts: readonly string[]): void {
    for (const receipt of receipts) this.#held.set(receipt, queue);
    this.#append(receipts.map((receipt) => `+ ${receipt} ${queue}\n`));
  }

  release(receipts: readonly string[]): void {
    for (const receipt of receipts) this.#held.delete(receipt);
    this.#append(receipts.map((receipt) => `- ${receipt}\n`));
  }

  #append(lines: readonly string[]): void {
    this.#lineCount += lines.length;
    if (this.#lineCount > LINES_MAX) this.#rewrite();
    else appendFileSync(this.#file, lines.join(''));
  }

  #rewrite(): void {
    this.#lineCount = this.#held.size;
    writeFileSync(this.#file, [...this.#held].map(([receipt, queue]) => `+ ${receipt} ${queue}\n`).join(''));
  }
}
