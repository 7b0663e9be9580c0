// Claims of grpc-go with the messages of go-control-plane, whose authors Envoy's are: a line
// `ok TEXT` or `BROKEN TEXT` for each. PORT comes from the environment.
package main

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	common "github.com/envoyproxy/go-control-plane/envoy/extensions/common/ratelimit/v3"
	rls "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"
)

func claim(text string, holds bool, seen any) {
	if holds {
		fmt.Println("ok", text)
	} else {
		fmt.Println("BROKEN", text, "saw", seen)
	}
}

func request(key, value string) *rls.RateLimitRequest {
	return &rls.RateLimitRequest{
		Domain: "shop",
		Descriptors: []*common.RateLimitDescriptor{{
			Entries: []*common.RateLimitDescriptor_Entry{{Key: key, Value: value}},
		}},
	}
}

func main() {
	connection, err := grpc.NewClient("127.0.0.1:"+os.Getenv("PORT"),
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		panic(err)
	}
	defer connection.Close()
	service := rls.NewRateLimitServiceClient(connection)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()

	var seen []rls.RateLimitResponse_Code
	for i := 0; i < 4; i++ {
		answer, err := service.ShouldRateLimit(ctx, request("user", "go"))
		if err != nil {
			panic(err)
		}
		seen = append(seen, answer.OverallCode)
	}
	claim("three of four pass", fmt.Sprint(seen) == "[OK OK OK OVER_LIMIT]", seen)

	answer, err := service.ShouldRateLimit(ctx, request("user", "go"))
	claim("a denial says when to come back", err == nil &&
		answer.Statuses[0].DurationUntilReset.AsDuration() > 0 &&
		answer.Statuses[0].DurationUntilReset.AsDuration() <= time.Minute, answer)

	_, err = service.ShouldRateLimit(ctx, request("user", "gzip"), grpc.UseCompressor(gzip.Name))
	claim("a request in gzip", err == nil, err)

	_, err = service.ShouldRateLimit(ctx, &rls.RateLimitRequest{})
	claim("without a domain: InvalidArgument", status.Code(err) == codes.InvalidArgument, err)

	var group sync.WaitGroup
	var lock sync.Mutex
	passed := 0
	for i := 0; i < 2000; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			answer, err := service.ShouldRateLimit(ctx, request("go", ""))
			lock.Lock()
			defer lock.Unlock()
			if err == nil && answer.OverallCode == rls.RateLimitResponse_OK {
				passed++
			}
		}()
	}
	group.Wait()
	claim("of 2000 at once exactly 1500 pass", passed == 1500, passed)

	health, err := grpc_health_v1.NewHealthClient(connection).Check(ctx,
		&grpc_health_v1.HealthCheckRequest{Service: "ratelimit"})
	claim("health of ratelimit", err == nil &&
		health.Status == grpc_health_v1.HealthCheckResponse_SERVING, err)
}
