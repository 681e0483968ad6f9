import type { Closable } from '../../core/async.ts';
import { joinSignals } from '../../core/async.ts';
import type { TextModel } from '../../core/ports.ts';
import type { FixParts } from '../options.ts';
import type { FixLanguage } from '../project/target.ts';
import type { RepairTime } from '../repair-time.ts';

/** A model that is being opened while tests run and candidates are tried. */
export interface StartedModel extends Closable {
  /** Null for none, or if it cannot be opened. Never rejects. */
  readonly model: Promise<TextModel | null>;
  /** Aborts if it cannot be opened, with the error. */
  readonly failed: AbortSignal;
}

export function startModel(
  parts: FixParts,
  language: FixLanguage,
  { inTime, untimed }: { readonly inTime: AbortSignal; readonly untimed: RepairTime['untimed'] },
): StartedModel {
  const closing = new AbortController();
  const failed = new AbortController();
  const joined = joinSignals(inTime, closing.signal);
  const open = async (): Promise<TextModel | null> => {
    const model = await parts.openModel(joined.signal, language, untimed);
    if (model?.answer === 'edit' && !answersEdits(model, language))
      parts.onWarning?.(notTrainedOn(model.name, language));
    return model;
  };
  const model = open().catch(error => {
    failed.abort(error);
    return null;
  });
  return {
    model,
    failed: failed.signal,
    async close() {
      closing.abort();
      await (await model)?.close();
      joined.release();
    },
  };
}

export function notTrainedOn(name: string, language: string): string {
  return `${name} is not asked for ${language} code: candidates are enumerated edits only.`;
}

/** Whether a model answers with edits in a language. */
export function answersEdits(model: TextModel, language: string): boolean {
  const isTaught = model.languages === undefined || model.languages.includes(language);
  return model.answer === 'edit' && isTaught;
}
