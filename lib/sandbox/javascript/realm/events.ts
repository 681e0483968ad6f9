type Listener = (...args: unknown[]) => unknown;

/** The part of Node's `events` that programs of one file use; synchronous, as in Node. */
export function newEvents(): unknown {
  class EventEmitter {
    /** Made at first use: a class that extends this one may not call its constructor before. */
    #listeners = new Map<unknown, { listener: Listener; once: boolean }[]>();

    on(name: unknown, listener: Listener): this {
      return this.#add(name, { listener, once: false }, 'push');
    }
    addListener(name: unknown, listener: Listener): this {
      return this.on(name, listener);
    }
    once(name: unknown, listener: Listener): this {
      return this.#add(name, { listener, once: true }, 'push');
    }
    prependListener(name: unknown, listener: Listener): this {
      return this.#add(name, { listener, once: false }, 'unshift');
    }
    off(name: unknown, listener: Listener): this {
      const all = this.#listeners.get(name) ?? [];
      const index = all.findLastIndex(each => each.listener === listener);
      if (index >= 0) this.#listeners.set(name, all.toSpliced(index, 1));
      return this;
    }
    removeListener(name: unknown, listener: Listener): this {
      return this.off(name, listener);
    }
    removeAllListeners(name?: unknown): this {
      if (name === undefined) this.#listeners.clear();
      else this.#listeners.delete(name);
      return this;
    }
    emit(name: unknown, ...args: unknown[]): boolean {
      const all = this.#listeners.get(name) ?? [];
      if (all.length === 0 && name === 'error')
        throw args[0] instanceof Error ? args[0] : new Error('Unhandled error.');
      for (const { listener, once } of all) {
        if (once) this.off(name, listener);
        Reflect.apply(listener, this, args);
      }
      return all.length > 0;
    }
    listenerCount(name: unknown): number {
      return this.#listeners.get(name)?.length ?? 0;
    }
    listeners(name: unknown): Listener[] {
      return (this.#listeners.get(name) ?? []).map(({ listener }) => listener);
    }
    eventNames(): unknown[] {
      return [...this.#listeners].filter(([, all]) => all.length > 0).map(([name]) => name);
    }
    setMaxListeners(): this {
      return this;
    }
    #add(name: unknown, entry: { listener: Listener; once: boolean }, where: 'push' | 'unshift'): this {
      const all = [...(this.#listeners.get(name) ?? [])];
      all[where](entry);
      this.#listeners.set(name, all);
      return this;
    }
  }
  return Object.assign(EventEmitter, { EventEmitter, default: EventEmitter });
}
