/** Ids by token. */
export type Vocabulary = Readonly<Record<string, number>>;

/** The parts of tokenizer.json that split text into tokens and join them again. */
export interface TokenizerModel {
  readonly normalizer: object | null;
  readonly pre_tokenizer: object | null;
  readonly decoder: object;
  readonly model: object;
}
