int mystery(int);

int x;

int main(void) {
    x = mystery(x);
    return 0;
}
