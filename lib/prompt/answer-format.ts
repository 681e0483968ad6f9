/** How a model is asked to answer: with the whole function, or with edits of a few of its lines. */
export const answerFormats = ['whole', 'edit'] as const;
export type AnswerFormat = (typeof answerFormats)[number];
