// Cutting text: half a surrogate pair is no text, and a table that is given one refuses the whole write.

/** Cuts at a number of UTF-16 units without leaving half a character behind. */
export const cutText = (text: string, lengthMax: number): string => {
  if (text.length <= lengthMax) return text;
  const lastUnit = text.charCodeAt(lengthMax - 1);
  const endsInHighSurrogate = lastUnit >= 0xd800 && lastUnit <= 0xdbff;
  return text.slice(0, endsInHighSurrogate ? lengthMax - 1 : lengthMax);
};
