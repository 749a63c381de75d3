/** Calls `run` for each item, with at most `most` calls at a time. Rejects if a call rejects. */
export async function inParallel<Item>(
  most: number,
  items: IterableIterator<Item>,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const worker = async (): Promise<void> => {
    for (const item of items) await run(item);
  };
  await Promise.all(Array.from({ length: most }, worker));
}
