/** What a limit has to take, and what it has to refuse: made of exactly so much, and of one more. */
export function atTheLimit<Made>(
  make: (size: number) => Made,
  limit: number,
): readonly [most: Made, more: Made] {
  return [make(limit), make(limit + 1)]
}
