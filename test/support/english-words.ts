/** Matches words of which every English sentence of this program has one, and no Romanian sentence has any. */
export const ENGLISH_WORDS =
  /(?<!\p{L})(the|is|was|were|it|its|has|have|of|and|or|to|with|which|that|this|no|not|cannot|could|would|there|at|be)(?!\p{L})/iu
