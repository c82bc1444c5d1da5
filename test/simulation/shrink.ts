// Makes a failing history shorter: leaves out ever smaller parts of it while it still fails.

/** @returns a shorter list that still fails, at the cost of at most `triesMax` trials. */
export const shrink = async <T>(
  steps: readonly T[],
  fails: (candidate: readonly T[]) => Promise<boolean>,
  triesMax: number,
): Promise<readonly T[]> => {
  let shortest = steps;
  let tries = 0;
  for (let size = Math.ceil(steps.length / 2); size >= 1; ) {
    let hasShrunk = false;
    for (let start = 0; start < shortest.length && tries < triesMax; ) {
      const candidate = [...shortest.slice(0, start), ...shortest.slice(start + size)];
      tries += 1;
      if (await fails(candidate)) {
        shortest = candidate;
        hasShrunk = true;
      } else start += size;
    }
    if (tries >= triesMax) break;
    // Leaving one step out may allow to leave out another one before it.
    if (size === 1 && !hasShrunk) break;
    size = size > 1 ? Math.floor(size / 2) : 1;
  }
  return shortest;
};
