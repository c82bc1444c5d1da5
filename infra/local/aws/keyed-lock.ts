// Lets one task at a time run under a key; others with the same key wait in line, other keys do not notice.

/** A queue of tasks per key, in memory. */
export class KeyedLock {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Runs the task after all earlier ones of this key, whether those failed or not, and gives its result. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const previous = this.#tails.get(key) ?? Promise.resolve();
    const current = previous.then(task, task);
    const tail = current.catch(() => undefined);
    this.#tails.set(key, tail);
    try {
      return await current;
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }
}
