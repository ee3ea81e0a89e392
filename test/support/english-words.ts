/** Words that every English sentence of this program has one of, and no Romanian one has. */
export const ENGLISH_WORDS =
  /(?<!\p{L})(the|is|was|were|it|its|has|have|of|and|or|to|with|which|that|this|no|not|cannot|could|would|there|at|be)(?!\p{L})/iu
