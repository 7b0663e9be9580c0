// go-redis against a server: a line a claim, `ok` or `BROKEN`, for tests/e2e/resp_clients.sh.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
)

var ctx = context.Background()

func claim(text string, check func() error) {
	if broken := check(); broken != nil {
		fmt.Printf("BROKEN %s: %v\n", text, broken)
		return
	}
	fmt.Printf("ok %s\n", text)
}

func equal(seen, expected any) error {
	if reflect.DeepEqual(seen, expected) {
		return nil
	}
	return fmt.Errorf("%v, expected %v", seen, expected)
}

func plain(protocol int) *redis.Client {
	return redis.NewClient(&redis.Options{
		Addr: "127.0.0.1:" + os.Getenv("PORT"), Protocol: protocol, MaxRetries: -1})
}

func secure(protocol int, password string) (*redis.Client, error) {
	folder := os.Getenv("CERTIFICATES")
	authority, err := os.ReadFile(folder + "/ca.pem")
	if err != nil {
		return nil, err
	}
	pair, err := tls.LoadX509KeyPair(folder+"/client.pem", folder+"/client.key")
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	return redis.NewClient(&redis.Options{
		Addr: "127.0.0.1:" + os.Getenv("TLS_PORT"), Protocol: protocol, MaxRetries: -1,
		Password: password, TLSConfig: &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{pair}},
	}), nil
}

func key(name string) string { return "go-redis:" + name }

func throttle(c redis.Cmdable, name string) *redis.Cmd {
	return c.(interface {
		Do(context.Context, ...any) *redis.Cmd
	}).Do(ctx, "CL.THROTTLE", key(name), 4, 5, 60)
}

// The first number of each answer.
func firsts(commands []*redis.Cmd) ([]int64, error) {
	var numbers []int64
	for _, command := range commands {
		reply, err := command.Int64Slice()
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, reply[0])
	}
	return numbers, nil
}

func fiveOfSix(commands []*redis.Cmd) error {
	limited, err := firsts(commands)
	if err != nil {
		return err
	}
	return equal(limited, []int64{0, 0, 0, 0, 0, 1})
}

func six(c redis.Cmdable, name string) (commands []*redis.Cmd) {
	for range 6 {
		commands = append(commands, throttle(c, name))
	}
	return commands
}

func pipelines() error {
	pipe := plain(2).Pipeline()
	var takes []*redis.Cmd
	var echoes []*redis.StringCmd
	for i := range 1000 {
		takes = append(takes, pipe.Do(ctx, "RL.TAKE", key("pipeline"), "700/h"))
		echoes = append(echoes, pipe.Echo(ctx, strconv.Itoa(i)))
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return err
	}
	allowed, err := firsts(takes)
	if err != nil {
		return err
	}
	for i := range 1000 {
		if (allowed[i] == 1) != (i < 700) || echoes[i].Val() != strconv.Itoa(i) {
			return fmt.Errorf("answer %d: %d %q", i, allowed[i], echoes[i].Val())
		}
	}
	return nil
}

func transacts() error {
	pipe := plain(2).TxPipeline()
	commands := six(pipe, "transaction")
	if _, err := pipe.Exec(ctx); err != nil {
		return err
	}
	return fiveOfSix(commands)
}

func speaksResp3() error {
	reply, err := plain(3).Do(ctx, "RL.TAKE", key("three"), "5/h").Result()
	if err != nil {
		return err
	}
	take, isMap := reply.(map[any]any)
	if !isMap {
		return fmt.Errorf("%T %v", reply, reply)
	}
	return equal(take["remaining"], int64(4))
}

func speaksTLS(protocol int) error {
	client, err := secure(protocol, os.Getenv("PASSWORD"))
	if err != nil {
		return err
	}
	return fiveOfSix(six(client, "tls"+strconv.Itoa(protocol)))
}

func refusesPassword() error {
	client, err := secure(2, "wrong")
	if err != nil {
		return err
	}
	if err := client.Ping(ctx).Err(); err == nil || !strings.Contains(err.Error(), "WRONGPASS") {
		return fmt.Errorf("answer %v", err)
	}
	return nil
}

func raisesErrors() error {
	client := plain(2)
	err := client.Do(ctx, "RL.TAKE", key("error"), "5/6x").Err()
	var refused redis.Error
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "5/6x") {
		return fmt.Errorf("answer %v", err)
	}
	return client.Ping(ctx).Err()
}

func takesAnyBytes() error {
	client := plain(2)
	for _, last := range []byte{0xff, 0xfe} {
		take, err := client.Do(ctx, "RL.TAKE", append([]byte(key("\x00\r\n")), last), "5/w").Int64Slice()
		if err != nil {
			return err
		}
		if err := equal(take[2], int64(4)); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	claim("CL.THROTTLE lets five of six pass", func() error { return fiveOfSix(six(plain(2), "six")) })
	claim("its pipeline of 2000 gets every answer, in order", pipelines)
	claim("its transaction is answered in order", transacts)
	claim("RESP3: a take is a map", speaksResp3)
	claim("RESP3: CL.THROTTLE lets five of six pass",
		func() error { return fiveOfSix(six(plain(3), "six3")) })
	claim("TLS with a client certificate and a password", func() error { return speaksTLS(2) })
	claim("TLS with RESP3", func() error { return speaksTLS(3) })
	claim("a wrong password is refused", refusesPassword)
	claim("a limit that is none is an error, and the connection goes on", raisesErrors)
	claim("keys are any bytes", takesAnyBytes)
}
