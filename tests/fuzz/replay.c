/* Usage: replay CORPUS COUNT: on each level gives the fuzz target each file of the folder, then as many
   inputs of random bytes. The first bad one ends the program. */
#include <dirent.h>
#include <stdlib.h>

#include "fuzz.h"
#include "subjects.h"

enum { LONGEST = 4096 };

static void replay_file(const char *folder, const char *name)
{
    char path[4096];
    uint8_t data[LONGEST];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const file = fopen(path, "rb");
    CHECK(file, "%s cannot be read", path);
    if (!file)
        return;
    LLVMFuzzerTestOneInput(data, fread(data, 1, sizeof data, file));
    fclose(file);
}

static void replay_corpus(const char *folder)
{
    int files = 0;
    begin("corpus %s", level_name(gelu_selected_level()));
    DIR *const entries = opendir(folder);
    for (const struct dirent *entry; entries && (entry = readdir(entries));)
        if (entry->d_name[0] != '.') {
            replay_file(folder, entry->d_name);
            files++;
        }
    if (entries)
        closedir(entries);
    CHECK(files > 0, "no file in %s", folder);
    end();
}

static void replay_random(long count)
{
    begin("random bytes %s", level_name(gelu_selected_level()));
    for (long i = 0; i < count; i++) {
        uint64_t data[12];
        for (size_t k = 0; k < 12; k++)
            data[k] = random_word();
        CHECK(LLVMFuzzerTestOneInput((const uint8_t *)data, 20 + (size_t)i % 77) == 0, "input %ld",
              i);
    }
    end();
}

int main(int count, char **arguments)
{
    if (count != 3) {
        fprintf(stderr, "Usage: %s CORPUS COUNT\n", arguments[0]);
        return 2;
    }
    for (int level = 0; level < gelu_level_count(); level++)
        if (gelu_select_level(level) == 0) {
            replay_corpus(arguments[1]);
            replay_random(strtol(arguments[2], NULL, 10));
        }
    return finish();
}
