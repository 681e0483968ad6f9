/** The form of answer that a model is asked for: the whole function, or edits of a few lines. */
export const answerFormats = ['whole', 'edit'] as const;
export type AnswerFormat = (typeof answerFormats)[number];
