import { expect, test, vi } from 'vitest';
import { closeInOrder, closingAll } from '../../lib/core/async.ts';

function scene() {
  const closed: string[] = [];
  const warned: unknown[] = [];
  const part = (name: string) => ({ close: async () => void closed.push(name) });
  const broken = { close: () => Promise.reject(new Error('cannot be removed')) };
  return { closed, warned, part, broken, onFailedClose: (error: unknown) => void warned.push(error) };
}

test('closes everything, last first, even if a close fails', async () => {
  const { closed, warned, part, broken, onFailedClose } = scene();
  const result = await closingAll(async opened => {
    opened(part('file'));
    opened(broken);
    opened(part('model'));
    return 'done';
  }, onFailedClose);
  expect(result).toBe('done');
  expect(closed).toEqual(['model', 'file']);
  expect(warned).toEqual([new Error('cannot be removed')]);
});

test('rejects with the first error of closing if there is no handler', async () => {
  const { closed, part, broken } = scene();
  const closing = closingAll(async opened => {
    opened(part('file'));
    opened(broken);
    opened({ close: () => Promise.reject(new Error('neither can this')) });
  });
  await expect(closing).rejects.toThrow('neither can this');
  expect(closed).toEqual(['file']);
});

test('closes in the given order, even if one part cannot be closed', async () => {
  const { closed, part, broken } = scene();
  const closing = closeInOrder(part('runs'), broken, part('judges'), part('compiler'));
  await expect(closing).rejects.toThrow('cannot be removed');
  expect(closed).toEqual(['runs', 'judges', 'compiler']);
});

test('keeps the error that ended the action', async () => {
  const { closed, warned, part, broken, onFailedClose } = scene();
  const failing = closingAll(async opened => {
    opened(part('file'));
    opened(broken);
    throw new Error('the model is gone');
  }, onFailedClose);
  await expect(failing).rejects.toThrow('the model is gone');
  expect([closed, warned]).toEqual([['file'], []]);
});

test('waits for what is still being opened', async () => {
  const { closed, part } = scene();
  let open = () => {};
  const model = new Promise<ReturnType<typeof part>>(resolve => {
    open = () => resolve(part('model'));
  });
  const closing = closingAll(async opened => {
    void opened(model);
    opened(Promise.reject(new Error('cannot be opened'))).catch(() => {});
    throw new Error('the disk is full');
  });
  open();
  await expect(closing).rejects.toThrow('the disk is full');
  expect(closed).toEqual(['model']);
});

test('closes at once what is registered after the others were closed', async () => {
  const { closed, part } = scene();
  let register = () => {};
  await closingAll(async opened => {
    opened(part('file'));
    register = () => void opened(part('model'));
  });
  expect(closed).toEqual(['file']);
  register();
  await vi.waitFor(() => expect(closed).toEqual(['file', 'model']));
});
