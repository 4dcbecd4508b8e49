// selvedge: memory=unsafe
// flags: --args=x
int main(int argc, char **argv) {
    return argv[argc][0]; // MEMORY! dereferences a null pointer
}
