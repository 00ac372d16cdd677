/* The walk over the levels' vocabularies. */
#ifndef VOCABULARIES_H
#define VOCABULARIES_H

#include "config.h"
#include "subjects.h"
#include "vocabulary.h"

#define X(name, features) extern const vocabulary vocabulary_##name;
GELU_LEVELS(X)
#undef X

static inline void for_each_vocabulary(const char *what, void (*test)(const vocabulary *))
{
    static const vocabulary *const all[] = {
#define X(name, features) &vocabulary_##name,
        GELU_LEVELS(X)
#undef X
    };
    for (size_t i = 0; i < COUNT(all); i++) {
        const int level = gelu_find_level(all[i]->name);
        if (gelu_level_is_available(level)) {
            test(all[i]);
        } else {
            begin("%s %s", what, all[i]->name);
            can_run(level);
        }
    }
}

#endif
